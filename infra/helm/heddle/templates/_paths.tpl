{{/*
The paths of writes, for ingest's own pods. What is not listed, or asks for regular expressions where there are none,
reaches the tracing role, which serves it as well.
*/}}
{{- define "heddle.ingestPaths" -}}
prefixes: [/otel, /agents/otel, /api/public/otel, /api/public/ingestion, /v1/traces, /v1/logs, /v1/metrics, /call/start, /call/end, /call/update, /call/upsert_batch, /calls/delete]
expressions: ['/v2/[^/]+/[^/]+/(call/start|call/end|calls/complete)']
{{- end -}}

{{/*
What ingress-nginx has to do otherwise than by default: bodies of any size, which Heddle limits by route; streams passed on
as they come; as long as a model thinks. What the operator sets comes first.
*/}}
{{- define "heddle.ingressNginx" -}}
{{- if contains "nginx" .Values.ingress.className -}}
nginx.ingress.kubernetes.io/proxy-body-size: "0"
nginx.ingress.kubernetes.io/proxy-request-buffering: "off"
nginx.ingress.kubernetes.io/proxy-buffering: "off"
nginx.ingress.kubernetes.io/proxy-http-version: "1.1"
nginx.ingress.kubernetes.io/proxy-read-timeout: "3600"
nginx.ingress.kubernetes.io/proxy-send-timeout: "3600"
{{- end -}}
{{- end -}}
