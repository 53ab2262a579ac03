import { Langfuse } from 'langfuse'

const langfuse = new Langfuse()
const trace = langfuse.trace({ name: 'turn' })
const span = trace.span({ name: 'plan' })
span.score({ name: 'liked', value: 1, dataType: 'BOOLEAN', comment: 'yes' })
span.end()
trace.score({ name: 'tone', value: 'warm', dataType: 'CATEGORICAL' })
langfuse.score({ name: 'helped', value: 0.5, sessionId: 'session-1', metadata: { by: 'ann' } })
await langfuse.shutdownAsync()
console.log(`RESULT ${JSON.stringify({ trace: trace.id, span: span.id })}`)
