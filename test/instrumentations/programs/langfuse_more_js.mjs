import { LangfuseClient } from '@langfuse/client'
import { LangfuseSpanProcessor } from '@langfuse/otel'
import { startActiveObservation } from '@langfuse/tracing'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const DATA = `data:image/png;base64,${PNG}`
const projectId = process.env.LANGFUSE_PUBLIC_KEY

const provider = new NodeTracerProvider({ spanProcessors: [new LangfuseSpanProcessor()] })
provider.register()
const langfuse = new LangfuseClient()
const { api } = langfuse
const ids = await startActiveObservation('look', async (span) => {
  span.update({ input: { inline: DATA } })
  return { trace: span.traceId, span: span.id }
})
await provider.shutdown()
const seen = (await api.observations.getMany({ traceId: ids.trace, fields: 'core,io' })).data[0].input
const resolved = await langfuse.media.resolveReferences({ obj: seen, resolveWith: 'base64DataUri' })

const tone = await api.scoreConfigs.create({
  name: 'tone',
  dataType: 'CATEGORICAL',
  categories: [
    { label: 'warm', value: 2 },
    { label: 'cold', value: 1 },
  ],
})
for (const value of ['warm', 'odd'])
  langfuse.score.create({ name: 'tone', value, traceId: ids.trace, configId: tone.id })
await langfuse.flush()

const about = { projectId, objectType: 'TRACE', objectId: ids.trace, content: 'look *here*' }
await api.comments.create(about)
const { id } = await api.comments.create({
  ...{ ...about, objectType: 'OBSERVATION', objectId: ids.span, content: 'and here' },
})
const query = JSON.stringify({
  ...{ view: 'observations', metrics: [{ measure: 'count', aggregation: 'count' }] },
  dimensions: [{ field: 'name' }],
  filters: [{ column: 'name', operator: '=', value: 'look', type: 'string' }],
  ...{ fromTimestamp: '2020-01-01T00:00:00Z', toTimestamp: '2100-01-01T00:00:00Z' },
})
const found = {
  metrics: [(await api.metrics.metrics({ query })).data],
  trace: ids.trace,
  references: [seen.inline],
  resolved: [resolved.inline === DATA],
  config: [tone.name, tone.dataType, tone.categories.map(({ label, value }) => [label, value])],
  configs: (await api.scoreConfigs.get()).data.map(({ name, isArchived }) => [name, isArchived]),
  scores: (await api.scores.getMany()).data.map(({ name, stringValue, value }) => [
    name,
    stringValue ?? value,
  ]),
  comments: (await api.comments.get({ objectType: 'TRACE', objectId: ids.trace })).data.map(
    ({ content, objectType }) => [content, objectType],
  ),
  comment: (await api.comments.getById(id)).content,
}
console.log(`RESULT ${JSON.stringify(found)}`)
