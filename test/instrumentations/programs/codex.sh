printf 'sunny in Paris' > Paris
mkdir .codex
cat > .codex/config.toml << end
model = "gpt-4o"
model_provider = "other"

[model_providers.other]
name = "other"
base_url = "$OPENAI_BASE_URL"
env_key = "OPENAI_API_KEY"
request_max_retries = 0

[otel]
log_user_prompt = true
metrics_exporter = "none"

[otel.exporter.otlp-http]
endpoint = "http://127.0.0.1:8080/v1/logs"
protocol = "binary"
headers = { Authorization = "Bearer $WANDB_API_KEY", project_id = "me/first" }

[otel.trace_exporter.otlp-http]
endpoint = "http://127.0.0.1:8080/v1/traces"
protocol = "binary"
headers = { Authorization = "Bearer $WANDB_API_KEY", project_id = "me/first" }
end
codex exec --skip-git-repo-check --sandbox read-only 'How is the weather in Paris?' < /dev/null
