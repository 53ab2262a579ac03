{{/* Names that the chart around this one uses as well: they go by the release alone. */}}
{{- define "heddle.clickhouse.fullname" -}}
{{- printf "%s-clickhouse" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "heddle.clickhouse.secret" -}}
{{- $values := ternary .Values.clickhouse .Values (hasKey .Values "clickhouse") -}}
{{- default (include "heddle.clickhouse.fullname" .) $values.existingSecret -}}
{{- end -}}

{{- define "heddle.clickhouse.selector" -}}
app.kubernetes.io/name: clickhouse
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "heddle.clickhouse.labels" -}}
{{ include "heddle.clickhouse.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: heddle
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}
