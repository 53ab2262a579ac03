/** Spans are found by what they show of their tools, wherever their senders put it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AgentSpansQueryReq } from '../../contract/agents.js'
import { agentSpansQuery } from '../../contract/agents.js'
import { READ_LIMITS } from '../../platform/clickhouse/read-limits.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { AgentReader } from './read.js'

const project_id = 'acme/tools'
const { signal } = new AbortController()
let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('tools')
})
afterAll(() => engine?.stop())

const VALUES = [
  undefined,
  ...['', 'plain', 'a "quote", a \\ and a: {colon}', 'Köln/Bonn', '[1,2]', 5, true],
  ...[{}, [], { place: 'Köln, "a\\":b' }, [1, [], { a: {}, b: 'x:y,z' }, null, 1.5], { 'a/b': [''] }],
]
const NESTED = { arguments: 'gen_ai.tool.input', result: 'gen_ai.tool.output' } as const

/** Each value as an attribute, beside each as an event's. */
const texts = Object.entries(NESTED).flatMap(([part, event]) =>
  VALUES.flatMap((own) =>
    VALUES.map((sent) => {
      const gen_ai = (value: unknown) => ({ gen_ai: { tool: { name: 't', call: { [part]: value } } } })
      const events = [
        { name: 'gen_ai.tool.other', attributes: gen_ai('of another event') },
        { name: event, attributes: {} },
        { name: event, attributes: gen_ai(sent) },
        { name: event, attributes: gen_ai('of a later event') },
      ]
      return JSON.stringify({ name: 'execute_tool t', attributes: gen_ai(own), events })
    }),
  ),
)

it('by arguments and results, in attributes and in events', async () => {
  await store.insertRows(
    'calls',
    texts.map((otel_span, n) => ({
      ...{ project_id: projectIdOf(project_id), id: n.toString(16).padStart(16, '0'), trace_id: 't', ver: 1 },
      ...{ span_kind: 1, operation_name: 'execute_tool', otel_span },
      ...{ started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:01Z' },
    })),
  )
  const reader = new AgentReader(store, READ_LIMITS)
  const ask = (more: Partial<AgentSpansQueryReq>) =>
    reader.spans(agentSpansQuery.body!.parse({ project_id, ...more }), signal)
  const { spans } = await ask({ include_details: true, limit: 1000 })
  expect(spans).toHaveLength(texts.length)
  for (const field of ['tool_call_arguments', 'tool_call_result'] as const) {
    const shown = spans.map((span) => span[field])
    for (const text of new Set(shown)) {
      const query = { $expr: { $eq: [{ $getField: field }, { $literal: text }] } }
      const { total_count } = await ask({ query, limit: 0 } as Partial<AgentSpansQueryReq>)
      expect([text, total_count]).toEqual([text, shown.filter((one) => one === text).length])
    }
  }
})
