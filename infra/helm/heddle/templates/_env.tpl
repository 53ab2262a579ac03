{{/*
The environment of containers, part by part. Lists are YAML of `env`, joined by who includes them. Names that come
twice would be a fault of server-side apply, so settings of the operator replace ours: "heddle.envList" sees to it.
*/}}

{{- define "heddle.storeUrl" -}}
{{- if .Values.clickhouse.enabled -}}
http://{{ include "heddle.clickhouse.fullname" . }}:8123
{{- else -}}
{{- required "Set externalClickhouse.url, or clickhouse.enabled for one beside Heddle." .Values.externalClickhouse.url -}}
{{- end -}}
{{- end -}}

{{- define "heddle.cluster" -}}
{{- if not .Values.clickhouse.enabled -}}
{{- .Values.externalClickhouse.cluster -}}
{{- else if or (gt (int .Values.clickhouse.shards) 1) (gt (int .Values.clickhouse.replicas) 1) -}}
{{- .Values.clickhouse.clusterName -}}
{{- end -}}
{{- end -}}

{{- define "heddle.env.store" -}}
- name: CLICKHOUSE_URL
  value: {{ include "heddle.storeUrl" . | quote }}
{{- if .Values.clickhouse.enabled }}
- name: CLICKHOUSE_USER
  value: heddle
- name: CLICKHOUSE_DATABASE
  value: {{ .Values.clickhouse.database | quote }}
- name: CLICKHOUSE_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ include "heddle.clickhouse.secret" . }}, key: password } }
{{- else }}
- name: CLICKHOUSE_USER
  value: {{ .Values.externalClickhouse.user | quote }}
- name: CLICKHOUSE_DATABASE
  value: {{ .Values.externalClickhouse.database | quote }}
{{- with .Values.externalClickhouse.existingSecret }}
- name: CLICKHOUSE_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ . }}, key: {{ $.Values.externalClickhouse.passwordKey }} } }
{{- end }}
{{- end }}
{{- with include "heddle.cluster" . }}
- name: CLICKHOUSE_CLUSTER
  value: {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "heddle.env.redis" -}}
{{- if .Values.redis.enabled }}
- name: REDIS_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ include "heddle.redis.secret" . }}, key: password } }
- name: REDIS_URL
  value: redis://:$(REDIS_PASSWORD)@{{ include "heddle.redis.fullname" . }}:6379
{{- else if .Values.externalRedis.existingSecret }}
- name: REDIS_URL
  valueFrom: { secretKeyRef: { name: {{ .Values.externalRedis.existingSecret }}, key: {{ .Values.externalRedis.urlKey }} } }
{{- end }}
{{- end -}}

{{/* Keys of S3 from a secret. Takes its name. */}}
{{- define "heddle.env.s3secret" }}
- name: AWS_ACCESS_KEY_ID
  valueFrom: { secretKeyRef: { name: {{ . }}, key: access-key-id } }
- name: AWS_SECRET_ACCESS_KEY
  valueFrom: { secretKeyRef: { name: {{ . }}, key: secret-access-key } }
{{- end -}}

{{- define "heddle.env.s3keys" -}}
{{- if .Values.artifacts.existingSecret }}
{{- include "heddle.env.s3secret" .Values.artifacts.existingSecret }}
{{- else if not .Values.artifacts.accountAnnotations }}
{{- fail "artifacts.address needs artifacts.existingSecret, a secret with access-key-id and secret-access-key, or artifacts.accountAnnotations with a cloud role." }}
{{- end }}
- name: AWS_REGION
  value: {{ .Values.artifacts.region | quote }}
{{- end -}}

{{- define "heddle.env.artifacts" -}}
{{- if .Values.artifacts.address }}
- name: HEDDLE_ARTIFACTS
  value: {{ .Values.artifacts.address | quote }}
{{- with .Values.artifacts.endpoint }}
- name: HEDDLE_S3_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- include "heddle.env.s3keys" . }}
{{- end }}
{{- end -}}

{{- define "heddle.env.providers" }}
- name: HEDDLE_SECRETS_KEY
  valueFrom: { secretKeyRef: { name: {{ include "heddle.keysSecret" . }}, key: secrets-key } }
{{- end -}}

{{- define "heddle.env.nodes" }}
- name: HEDDLE_NODES
  value: {{ include "heddle.nodes" . | quote }}
- name: HEDDLE_NODE_TOKEN
  valueFrom: { secretKeyRef: { name: {{ include "heddle.keysSecret" . }}, key: node-token } }
{{- if .Values.modelServer.tls.existingSecret }}
- name: HEDDLE_NODE_CA
  value: /etc/heddle/node-tls/ca.crt
{{- end }}
{{- end -}}

{{- define "heddle.env.trainNodes" }}
- name: HEDDLE_TRAINING_NODES
  value: {{ include "heddle.trainNodes" . | quote }}
{{- end -}}

{{- define "heddle.env.tracing" }}
{{- if .Values.tracing.enabled }}
- name: HEDDLE_TRACING_URL
  value: http://{{ include "heddle.fullname" . }}-tracing:8080
{{- end }}
{{- end -}}

{{- define "heddle.env.training" }}
{{- if .Values.trainingApi.enabled }}
- name: HEDDLE_TRAINING_URL
  value: http://{{ include "heddle.fullname" . }}-training-api:8081
{{- end }}
{{- end -}}

{{- define "heddle.env.spans" }}
{{- with .Values.monitoring.spans }}
{{- if .endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ .endpoint | quote }}
{{- with .existingSecret }}
- name: OTEL_EXPORTER_OTLP_HEADERS
  valueFrom: { secretKeyRef: { name: {{ . }}, key: headers } }
{{- end }}
- name: OTEL_RESOURCE_ATTRIBUTES
  value: k8s.namespace.name={{ $.Release.Namespace }}
- name: OTEL_TRACES_SAMPLER
  value: parentbased_traceidratio
- name: OTEL_TRACES_SAMPLER_ARG
  value: {{ .ratio | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The same list with the last of each name, in the order of the first. Takes: list. */}}
{{- define "heddle.envList" -}}
{{- $byName := dict -}}
{{- $order := list -}}
{{- range .list -}}
{{- if not (hasKey $byName .name) }}{{ $order = append $order .name }}{{ end -}}
{{- $_ := set $byName .name . -}}
{{- end -}}
{{- $all := list -}}
{{- range $order }}{{ $all = append $all (get $byName .) }}{{ end -}}
{{- toYaml $all -}}
{{- end -}}

{{/* Settings as a list of env. Takes a dict. */}}
{{- define "heddle.settingsList" -}}
{{- $all := list -}}
{{- range $name, $value := . }}{{ $all = append $all (dict "name" $name "value" (toString $value)) }}{{ end -}}
{{- toYaml $all -}}
{{- end -}}

{{/* All of a role's environment. Takes: root, role. */}}
{{- define "heddle.roleEnv" -}}
{{- $root := .root -}}
{{- $role := .role -}}
{{- $own := list (dict "name" "HEDDLE_HOST" "value" "0.0.0.0") (dict "name" "HEDDLE_METRICS_PORT" "value" "9464") -}}
{{- with $role.facts.port }}{{ $own = append $own (dict "name" $role.facts.portSetting "value" (toString .)) }}{{ end -}}
{{- if ne (default "" $role.facts.stops) "at once" }}{{ $own = append $own (dict "name" "HEDDLE_STOP_SECONDS" "value" (toString $role.values.stopSeconds)) }}{{ end -}}
{{- $own = append $own (dict "name" "HEDDLE_LOG_FORMAT" "value" "json") -}}
{{- range $use := $role.facts.uses -}}
{{- if not (has $use (list "outside")) -}}
{{- $own = concat $own (include (printf "heddle.env.%s" $use) $root | fromYamlArray) -}}
{{- end -}}
{{- end -}}
{{- $given := concat (include "heddle.settingsList" $root.Values.settings | fromYamlArray) (include "heddle.settingsList" $role.values.settings | fromYamlArray) $root.Values.extraEnv $role.values.extraEnv -}}
{{- $all := concat $own $given -}}
{{- include "heddle.redisIsThere" (dict "root" $root "role" $role "env" $all) -}}
{{- include "heddle.envList" (dict "list" $all) -}}
{{- end -}}

{{/*
Nothing, or an end: only a tracing role of one pod does without a Redis. One that comes by envFrom can't be seen.
Takes: root, role, env.
*/}}
{{- define "heddle.redisIsThere" -}}
{{- $role := .role -}}
{{- $names := list }}{{ range .env }}{{ $names = append $names .name }}{{ end -}}
{{- $unseen := concat .root.Values.extraEnvFrom $role.values.extraEnvFrom -}}
{{- $many := or (gt (int $role.values.replicas) 1) $role.values.autoscaling.enabled -}}
{{- if and (has "redis" $role.facts.uses) (not (has "REDIS_URL" $names)) (not $unseen) (or $many (ne $role.key "tracing")) -}}
{{- fail (printf "%s needs a Redis: set externalRedis.existingSecret, or redis.enabled; or %s." $role.key (ternary "tracing.replicas=1" (printf "%s.enabled=false" $role.key) (eq $role.key "tracing"))) -}}
{{- end -}}
{{- end -}}

{{/* Takes: root, values. */}}
{{- define "heddle.envFrom" -}}
{{- with concat .root.Values.extraEnvFrom .values.extraEnvFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
