/** First and last messages of conversations, looked for near their ends, are those of all their spans. In the real engine. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { READ_LIMITS } from '../../platform/clickhouse/read-limits.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { rounds } from '../../test/support/rounds.js'
import { messagesOf } from './previews.js'
import { AgentReader } from './read.js'

const { signal } = new AbortController()
let engine: TestEngine
let store: Store
let reader: AgentReader
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('previews')
  reader = new AgentReader(store, READ_LIMITS)
})
afterAll(() => engine?.stop())

const START = Date.parse('2026-01-01T00:00:00Z')
const MINUTE = 60_000
const DAY = 24 * 60

/** As many as are read for a message: further ones may be left out. Times are minutes. */
const conversation = fc.array(
  fc.record({
    started: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 4 * DAY })),
    took: fc.integer({ min: 0, max: 2 * DAY }),
    asks: fc.boolean(),
    answers: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
)
type Span = (typeof conversation extends fc.Arbitrary<infer T> ? T : never)[number] & { id: string }

const said = (role: string, text: string) => [{ role, content: text }]

let projects = 0
async function written(conversations: readonly (readonly Span[])[]): Promise<string> {
  const project = `acme/previews-${projects++}`
  const rows = conversations.flatMap((spans, c) =>
    spans.map(({ id, started, took, asks, answers }) => {
      const attributes = {
        'gen_ai.conversation.id': `c${c}`,
        ...(asks && { 'gen_ai.input.messages': said('user', `asked ${id}`) }),
        ...(answers && { 'gen_ai.output.messages': said('assistant', `answered ${id}`) }),
      }
      return {
        ...{ project_id: projectIdOf(project), id, ver: 1, trace_id: `trace ${id}`, span_kind: 1 },
        otel_span: JSON.stringify({ name: 'step', attributes }),
        ...{ thread_id: `c${c}`, own_conversation: 1 },
        started_at: new Date(START + started * MINUTE).toISOString(),
        ended_at: new Date(START + (started + took) * MINUTE).toISOString(),
      }
    }),
  )
  await store.insertRows('calls', rows)
  return projectIdOf(project)
}

/** What the spans of a conversation say by themselves. */
function expected(spans: readonly Span[]) {
  const byStart = [...spans].sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1))
  const ended = (span: Span) => span.started + span.took
  const byEnd = [...spans].sort((a, b) => ended(b) - ended(a) || (a.id < b.id ? 1 : -1))
  const asking = byStart.find(({ asks }) => asks)
  const answering = byEnd.find(({ answers }) => answers)
  return {
    first: asking ? `asked ${asking.id}` : undefined,
    last: answering ? `answered ${answering.id}` : undefined,
  }
}

it('are those of all their spans', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(conversation, { minLength: 1, maxLength: 4 }), async (all) => {
      let n = 0
      const conversations = all.map((spans) =>
        spans.map((span) => ({ ...span, id: (++n).toString(16).padStart(16, '0') })),
      )
      const projectId = await written(conversations)
      const asked = conversations.map((spans, c) => {
        const starts = spans.map(({ started }) => (START + started * MINUTE) * 1000)
        return { id: `c${c}`, first: Math.min(...starts), last: Math.max(...starts) }
      })
      const found = await messagesOf(reader, { projectId, from: undefined, to: undefined }, asked, signal)
      const texts = asked.map(({ id }) => {
        const { first, last } = found.get(id)!
        return { first: first?.text, last: last?.text }
      })
      expect(texts).toEqual(conversations.map(expected))
    }),
    { numRuns: rounds(6, 30) },
  )
}, 120_000)
