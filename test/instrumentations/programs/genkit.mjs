import { openAI } from '@genkit-ai/compat-oai/openai'
import { trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { genkit, z } from 'genkit'
import { enableTelemetry, flushTracing } from 'genkit/tracing'

await enableTelemetry({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] })
const plugin = openAI({ baseURL: process.env.OPENAI_BASE_URL, maxRetries: 0 })
const ai = genkit({ plugins: [plugin] })
const get_weather = ai.defineTool(
  { name: 'get_weather', description: 'The weather in a city.', inputSchema: z.object({ city: z.string() }) },
  async ({ city }) => `sunny in ${city}`,
)
const answer = ai.defineFlow('answer', async (prompt) => {
  // Genkit names no session and no user.
  trace.getActiveSpan()?.setAttributes({ 'session.id': 'session-1', 'user.id': 'ann' })
  return (await ai.generate({ model: openAI.model('gpt-4o'), prompt, tools: [get_weather] })).text
})
await answer('How is the weather in Paris?')
await answer('fail').catch(() => undefined)
await flushTracing()
