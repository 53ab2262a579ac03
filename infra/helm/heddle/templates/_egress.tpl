{{/* Where pods may connect to, by what they use. Takes: root, uses. */}}
{{- define "heddle.egress" -}}
{{- $root := .root -}}
{{- $instance := $root.Release.Name -}}
{{- with $root.Values.networkPolicy.dns }}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
  to:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- if and (has "store" .uses) $root.Values.clickhouse.enabled }}
- ports: [{ port: 8123, protocol: TCP }]
  to:
    - podSelector: { matchLabels: { app.kubernetes.io/instance: {{ $instance }}, app.kubernetes.io/name: clickhouse } }
{{- end }}
{{- if and (has "redis" .uses) $root.Values.redis.enabled }}
- ports: [{ port: 6379, protocol: TCP }]
  to:
    - podSelector: { matchLabels: { app.kubernetes.io/instance: {{ $instance }}, app.kubernetes.io/name: redis } }
{{- end }}
{{- if has "nodes" .uses }}
- ports: [{ port: 50051, protocol: TCP }]
  to:
    - podSelector: { matchLabels: { app.kubernetes.io/instance: {{ $instance }}, heddle/node: 'true' } }
{{- end }}
{{- if or (has "tracing" .uses) (has "training" .uses) (has "providers" .uses) }}
- ports:
    - { port: 8080, protocol: TCP }
    - { port: 8081, protocol: TCP }
  to:
    - podSelector: { matchLabels: { app.kubernetes.io/instance: {{ $instance }}, app.kubernetes.io/name: {{ include "heddle.name" $root }} } }
{{- end }}
{{- $external := or (and (has "store" .uses) (not $root.Values.clickhouse.enabled)) (and (has "redis" .uses) (not $root.Values.redis.enabled)) (and (has "nodes" .uses) $root.Values.modelServer.externalNodes) }}
{{- if $external }}
- ports:
    {{- range $root.Values.networkPolicy.externalPorts }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- end }}
{{- with $root.Values.monitoring.spans.endpoint }}
{{- if has "spans" $.uses }}
- ports: [{ port: {{ include "heddle.portOf" . }}, protocol: TCP }]
{{- end }}
{{- end }}
{{- with $root.Values.artifacts.endpoint }}
{{- if has "artifacts" $.uses }}
{{- /* One of the ports outside is open already, and not to everywhere. */}}
{{- $port := include "heddle.portOf" . }}
{{- if not (has $port (toStrings $root.Values.networkPolicy.outside.ports)) }}
- ports: [{ port: {{ $port }}, protocol: TCP }]
{{- end }}
{{- end }}
{{- end }}
{{- if has "outside" .uses }}
- ports:
    {{- range $root.Values.networkPolicy.outside.ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  to:
    - ipBlock:
        cidr: {{ $root.Values.networkPolicy.outside.cidr }}
        {{- with $root.Values.networkPolicy.outside.except }}
        except:
          {{- toYaml . | nindent 10 }}
        {{- end }}
{{- end }}
{{- end -}}

{{/* The port of an http address. */}}
{{- define "heddle.portOf" -}}
{{- $url := urlParse . -}}
{{- regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- end -}}
