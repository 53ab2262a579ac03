{{/* Names that the chart around this one uses as well: they go by the release alone. */}}
{{- define "heddle.redis.fullname" -}}
{{- printf "%s-redis" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "heddle.redis.secret" -}}
{{- $values := ternary .Values.redis .Values (hasKey .Values "redis") -}}
{{- default (include "heddle.redis.fullname" .) $values.existingSecret -}}
{{- end -}}

{{- define "heddle.redis.selector" -}}
app.kubernetes.io/name: redis
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "heddle.redis.labels" -}}
{{ include "heddle.redis.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: heddle
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}
