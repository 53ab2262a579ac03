printf 'sunny in Paris' > Paris
claude -p 'How is the weather in Paris?' --model claude-sonnet-4-5
claude -p 'fail' --model claude-sonnet-4-5 || true
