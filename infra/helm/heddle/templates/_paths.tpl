{{/*
The paths of writes, for ingest's own pods. What is not listed, or asks for regular expressions where there are none,
reaches the tracing role, which serves it as well.
*/}}
{{- define "heddle.ingestPaths" -}}
prefixes: [/otel, /agents/otel, /api/public/otel, /api/public/ingestion, /v1/traces, /v1/logs, /v1/metrics, /call/start, /call/end, /call/update, /call/upsert_batch, /calls/delete]
expressions: ['/v2/[^/]+/[^/]+/(call/start|call/end|calls/complete)']
{{- end -}}
