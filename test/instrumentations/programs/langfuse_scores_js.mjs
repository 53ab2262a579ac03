import { LangfuseClient } from '@langfuse/client'
import { LangfuseSpanProcessor } from '@langfuse/otel'
import { startActiveObservation } from '@langfuse/tracing'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

const provider = new NodeTracerProvider({ spanProcessors: [new LangfuseSpanProcessor()] })
provider.register()
const langfuse = new LangfuseClient()
const known = (await langfuse.api.projects.get()).data.length === 1
const ids = await startActiveObservation('turn', () =>
  startActiveObservation('plan', async (span) => {
    langfuse.score.observation(
      { otelSpan: span.otelSpan },
      { name: 'liked', value: 1, dataType: 'BOOLEAN', comment: 'yes' },
    )
    // The trace's root has not ended, so it isn't known yet.
    langfuse.score.trace(
      { otelSpan: span.otelSpan },
      { name: 'tone', value: 'warm', dataType: 'CATEGORICAL' },
    )
    langfuse.score.create({ name: 'helped', value: 0.5, sessionId: 'session-1', metadata: { by: 'ann' } })
    await langfuse.flush()
    return { trace: span.traceId, span: span.id }
  }),
)
await provider.shutdown()
const { data } = await (langfuse.api.scoreV2 ? langfuse.api.scoreV2.get() : langfuse.api.scores.getMany())
const found = Object.fromEntries(
  data.map((score) => [score.name, [score.dataType, score.stringValue ?? null, score.value]]),
)
console.log(`RESULT ${JSON.stringify({ ...ids, known, found })}`)
