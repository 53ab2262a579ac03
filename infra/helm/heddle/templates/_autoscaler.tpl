{{/*
The number of pods by CPU and by the length of a queue: a HorizontalPodAutoscaler, or KEDA's ScaledObject.
Takes: root, component, name, kind (of what is scaled), values; labels of the queue's metric, optionally.
*/}}
{{- define "heddle.autoscaler" -}}
{{- $scale := .values.autoscaling -}}
{{- $keda := .root.Values.keda -}}
{{- $labels := merge (dict) (default dict .queueLabels) $scale.queue.matchLabels -}}
{{- if $scale.enabled }}
{{- if $keda.enabled }}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  {{- include "heddle.metadata" . | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: {{ .kind }}
    name: {{ .name }}
  minReplicaCount: {{ $scale.minReplicas }}
  maxReplicaCount: {{ $scale.maxReplicas }}
  pollingInterval: {{ $keda.pollingInterval }}
  cooldownPeriod: {{ $keda.cooldownPeriod }}
  {{- with $scale.behavior }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        {{- toYaml . | nindent 8 }}
  {{- end }}
  triggers:
    {{- if $scale.cpuUtilization }}
    - type: cpu
      metricType: Utilization
      metadata:
        value: {{ $scale.cpuUtilization | quote }}
    {{- end }}
    {{- if or $scale.queue.query $scale.queue.metric }}
    {{- $pairs := list }}
    {{- range $label, $value := $labels }}{{ $pairs = append $pairs (printf "%s=%q" $label $value) }}{{ end }}
    - type: prometheus
      metricType: AverageValue
      metadata:
        serverAddress: {{ $keda.prometheusAddress }}
        query: {{ default (printf "sum(max by (model) (%s{%s}))" $scale.queue.metric (join "," $pairs)) $scale.queue.query | quote }}
        threshold: {{ $scale.queue.averageValue | quote }}
    {{- end }}
{{- else }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "heddle.metadata" . | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: {{ .kind }}
    name: {{ .name }}
  minReplicas: {{ $scale.minReplicas }}
  maxReplicas: {{ $scale.maxReplicas }}
  metrics:
    {{- if $scale.cpuUtilization }}
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $scale.cpuUtilization }}
    {{- end }}
    {{- if $scale.queue.metric }}
    - type: External
      external:
        metric:
          name: {{ $scale.queue.metric }}
          {{- with $labels }}
          selector:
            matchLabels:
              {{- toYaml . | nindent 14 }}
          {{- end }}
        target:
          type: AverageValue
          averageValue: {{ $scale.queue.averageValue | quote }}
    {{- end }}
  {{- with $scale.behavior }}
  behavior:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
{{- end -}}
