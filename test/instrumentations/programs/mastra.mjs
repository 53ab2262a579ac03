import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { createTool } from '@mastra/core/tools'
import { Observability } from '@mastra/observability'
import { OtelExporter } from '@mastra/otel-exporter'
import { z } from 'zod'

const exporter = new OtelExporter({
  provider: {
    custom: {
      endpoint: `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
      protocol: 'http/protobuf',
      headers: { Authorization: 'Bearer $WANDB_API_KEY', project_id: 'me/first' },
    },
  },
})
const get_weather = createTool({
  id: 'get_weather',
  description: 'The weather in a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
})
const forecaster = new Agent({
  ...{ id: 'forecaster', name: 'forecaster', instructions: 'Say how the weather is.' },
  model: createOpenAI({ baseURL: process.env.OPENAI_BASE_URL }).chat('gpt-4o'),
  tools: { get_weather },
  maxRetries: 0,
})
const mastra = new Mastra({
  agents: { forecaster },
  logger: false,
  observability: new Observability({ configs: { otel: { serviceName: 'weather', exporters: [exporter] } } }),
})
const tracingOptions = { metadata: { sessionId: 'session-1', userId: 'ann' } }
const agent = mastra.getAgent('forecaster')
await agent.generate('How is the weather in Paris?', { tracingOptions })
await agent.generate('fail', { tracingOptions }).catch(() => undefined)
await mastra.shutdown()
