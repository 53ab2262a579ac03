printf 'sunny in Paris' > Paris
mkdir .gemini
echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' > .gemini/settings.json
gemini -m gemini-2.5-flash -p 'How is the weather in Paris?'
gemini -m gemini-2.5-flash -p 'fail' || true
