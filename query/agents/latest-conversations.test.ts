/** The latest conversations, found among the newest spans, are those of the plain statement, with the same sums. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentSpansStats } from '../../contract/agent-stats.js'
import { agentSpansQuery } from '../../contract/agents.js'
import { spanOf } from '../../domain/calls/read/span.js'
import { READ_LIMITS } from '../../platform/clickhouse/read-limits.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { costsOfGroup } from './costs.js'
import { GroupList } from './group-list.js'
import { pageOf } from './grouped.js'
import { type GroupRow, groupPlan } from './groups.js'
import { type Window, windowOf } from './identity.js'
import { latestConversations } from './latest-conversations.js'
import { messagesOf } from './previews.js'
import { narrowed } from './query.js'
import { rangePlan } from './ranges.js'
import { AgentReader } from './read.js'
import { countStatement, matches } from './spans.js'
import { statsPlan } from './stats.js'

const { signal } = new AbortController()
let engine: TestEngine
let store: Store
let reader: AgentReader
let list: GroupList

beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('latest_conversations')
  await store.insertRows(
    'costs',
    Object.entries({ priced: 0.5, cheap: 0.25 }).map(([llm_id, prompt]) => ({
      ...{ project_id: '', id: llm_id, llm_id, prompt, completion: 0, created_by: 'us', ver: 1 },
    })),
  )
  reader = new AgentReader(store, READ_LIMITS)
  list = new GroupList(store, reader)
})
afterAll(() => engine?.stop())

const MINUTE = 60_000
const START = Date.parse('2026-01-01T00:00:00Z')
const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString()

/** A trace: when it began in minutes, and its spans, each some minutes later, with a conversation or without. */
const trace = fc.record({
  start: fc.integer({ min: 0, max: 600 }),
  spans: fc.array(
    fc.record({
      later: fc.integer({ min: 0, max: 59 }),
      conversation: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { nil: '', freq: 2 }),
      agent: fc.option(fc.constantFrom('one', 'two'), { nil: '', freq: 2 }),
      model: fc.constantFrom('', 'priced', 'cheap', 'free'),
    }),
    { minLength: 1, maxLength: 5 },
  ),
})
type Trace = typeof trace extends fc.Arbitrary<infer T> ? T : never

const named = { $not: [{ $eq: [{ $getField: 'conversation_id' }, { $literal: '' }] }] }
const ofOne = { $eq: [{ $getField: 'agent_name' }, { $literal: 'one' }] }
const ofA = { $eq: [{ $literal: 'a' }, { $getField: 'conversation.id' }] }
const ofAorB = { $in: [{ $getField: 'conversation_id' }, [{ $literal: 'a' }, { $literal: 'b' }]] }

/** What is asked of the conversations of a project; the window in minutes. */
const asked = fc.record({
  from: fc.option(fc.integer({ min: 0, max: 300 }), { nil: undefined }),
  to: fc.option(fc.integer({ min: 301, max: 660 }), { nil: undefined }),
  conditions: fc.constantFrom([], [named], [named, ofOne], [ofOne], [ofA], [ofOne, ofAorB]),
  limit: fc.integer({ min: 1, max: 4 }),
  offset: fc.integer({ min: 0, max: 3 }),
  spansEach: fc.constantFrom([1], [1, 3], [10, 100]),
})

/** Of the span `n`: a third of them says nothing. */
const attributesOf = (conversation: string, n: number) => ({
  ...(conversation !== '' && { 'gen_ai.conversation.id': conversation }),
  ...(n % 3 > 0 && messages(n)),
})
const messages = (n: number) => ({
  'gen_ai.input.messages': [{ role: 'user', content: `asked ${n}` }],
  'gen_ai.output.messages': [{ role: 'assistant', content: `answered ${n}` }],
})

let projects = 0
async function insert(traces: readonly Trace[]): Promise<string> {
  const project = `acme/latest-${projects++}`
  // No two spans begin at the same time: which of two names a trace's conversation would be left to the engine.
  let n = 0
  const rows = traces.flatMap(({ start, spans }, t) =>
    spans.map(({ later, conversation, agent, model }) => ({
      ...{ project_id: projectIdOf(project), id: (++n).toString(16).padStart(16, '0'), ver: 1 },
      ...{ trace_id: `trace ${t}`, span_kind: 1, agent_name: agent, request_model: model, input_tokens: n },
      otel_span: JSON.stringify({ name: 'step', attributes: attributesOf(conversation, n) }),
      ...{ thread_id: conversation, own_conversation: conversation === '' ? 0 : 1 },
      started_at: new Date(START + (start + later) * MINUTE + n).toISOString(),
      ended_at: new Date(START + (start + later) * MINUTE + n + 1000).toISOString(),
    })),
  )
  await store.insertRows('calls', rows)
  return project
}

const rows = <Row>(statement: Sql) => reader.rows<Row>(statement, signal)

it('are what sums over all spans say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(trace, { minLength: 1, maxLength: 12 }),
      fc.array(asked, { minLength: 4, maxLength: 4 }),
      async (traces, questions) => {
        const project_id = await insert(traces)
        const prices = await reader.prices(windowOf({ project_id }), signal)
        for (const { from, to, conditions, spansEach, ...range } of questions) {
          const request = agentSpansQuery.body!.parse({
            ...{ project_id, group_by: [{ key: 'conversation_id' }], include_costs: true, ...range },
            ...(from !== undefined && { started_after: at(from) }),
            ...(to !== undefined && { started_before: at(to) }),
            ...(conditions.length > 0 && { query: { $expr: { $and: conditions } } }),
          })
          const window = windowOf(request)
          const plain = pageOf(await rows<GroupRow>(groupPlan(request, window, prices).statement), request)
          const latest = await latestConversations(rows, (counted) => counted(), request, window, spansEach)
          const { groups, total_count } = await list.groups(request, signal)
          expect(total_count).toBe(plain.total)
          const spans = async (those: Window) =>
            (await rows<{ total: number }>(countStatement(those, matches(request.query, those))))[0]!.total
          expect(await spans(narrowed(window, request.query))).toBe(await spans(window))
          expect(groups.map(({ group_keys }) => group_keys.conversation_id)).toEqual(
            plain.page.map(({ k0 }) => k0),
          )
          expect(groups.map(({ span_count }) => span_count)).toEqual(plain.page.map((row) => row.span_count))
          expect(groups.map((group) => group.total_input_tokens)).toEqual(
            plain.page.map((row) => row.total_input_tokens),
          )
          expect(groups.map((group) => group.total_cost_usd)).toEqual(
            plain.page.map(({ billed }) => costsOfGroup(billed!, prices).total_cost_usd),
          )
          const conversations = plain.page.map(({ k0, first, last }) => ({ id: String(k0), first, last }))
          const said = await messagesOf(reader, window, conversations, signal)
          const none = { first: null, last: null }
          expect(groups.map(({ first_message: first, last_message: last }) => ({ first, last }))).toEqual(
            conversations.map(({ id }) => said.get(id) ?? none),
          )
          if (!latest) continue
          expect(latest.total).toBe(plain.total)
          expect(latest.ids).toEqual(plain.page.map(({ k0 }) => k0))
        }
      },
    ),
    // To make an example smaller takes longer than the test may.
    { numRuns: 12, endOnFailure: true },
  )
}, 120_000)

/** A trace of one conversation, or of none, with a span for each minute. */
const turn = (conversation: string, ...minutes: number[]): Trace => ({
  start: 0,
  spans: minutes.map((later) => ({ later, conversation, agent: '', model: '' })),
})

it.each([
  ['are found among the newest spans', [turn('a', 1), turn('b', 2), turn('c', 3)], [1], ['c', 'b']],
  ['are not, if those are of one alone', [turn('a', 1), turn('b', 2, 3, 4)], [1], undefined],
  ['are, if more of those are looked at', [turn('a', 1), turn('b', 2, 3, 4)], [1, 3], ['b', 'a']],
  ['are not, beside spans without one', [turn('a', 1), turn('', 2)], [1], undefined],
])('%s', async (_, traces, spansEach, ids) => {
  const request = agentSpansQuery.body!.parse({
    ...{ project_id: await insert(traces), group_by: [{ key: 'conversation_id' }], limit: 2 },
  })
  const latest = await latestConversations(
    rows,
    (counted) => counted(),
    request,
    windowOf(request),
    spansEach,
  )
  expect(latest?.ids).toEqual(ids)
})

it('begin, for their first message, with the first of their spans that match', async () => {
  const by = (agent: string, later: number) => ({ later, conversation: 'a', agent, model: 'cheap' }) as const
  const request = (more: object) =>
    agentSpansQuery.body!.parse({ project_id, group_by: [{ key: 'conversation_id' }], ...more })
  const project_id = await insert([{ start: 0, spans: [by('two', 1), by('one', 5)] }])
  const first = async (more: object) =>
    (await list.groups(request(more), signal)).groups[0]!.first_message?.text
  expect(await first({})).toBe('asked 1')
  expect(await first({ query: { $expr: ofOne } })).toBe('asked 2')
})

it('cost the same in orders and measures, which the store prices, as they show', async () => {
  const spans = (conversation: string, model: 'priced' | 'cheap' | 'free'): Trace => ({
    ...turn(conversation, 1, 2),
    spans: turn(conversation, 1, 2).spans.map((span) => ({ ...span, model })),
  })
  const project_id = await insert([spans('a', 'cheap'), spans('b', 'free'), spans('c', 'priced')])
  const value = { source: 'derived', key: 'total_cost_usd' } as const
  const dollars = { a: 0.25 * (1 + 2), b: null, c: 0.5 * (5 + 6) }
  const request = agentSpansQuery.body!.parse({
    ...{ project_id, group_by: [{ key: 'conversation_id' }], include_costs: true },
    sort_by: [{ field: 'total_cost_usd', direction: 'asc' }],
    measures: [{ alias: 'cost', aggregation: 'sum', value }],
  })
  const { groups } = await list.groups(request, signal)
  expect(groups.map(({ group_keys }) => group_keys.conversation_id)).toEqual(['a', 'c', 'b'])
  for (const { group_keys, total_cost_usd, metrics } of groups) {
    const cost = dollars[group_keys.conversation_id as keyof typeof dollars]
    expect([total_cost_usd, metrics.cost]).toEqual([cost, cost])
  }
  const stats = agentSpansStats.body!.parse({
    ...{ project_id, start: at(0), end: at(60), granularity: 3600 },
    metrics: [{ alias: 'cost', value_type: 'number', value, aggregations: ['sum'] }],
    bucket_by: { type: 'number', value, bins: 2 },
  })
  const window = windowOf({ project_id })
  const span = spanOf({ start: stats.start, end: stats.end!, granularity: 3600, timezone: 'UTC' })
  const [bucket] = await rows<{ m0: number }>(statsPlan(stats, span, window).statement)
  expect(bucket!.m0).toBe(dollars.a + dollars.c)
  const ranges = rangePlan(stats, stats.bucket_by as Parameters<typeof rangePlan>[1], window)
  expect(await rows(ranges.ends)).toEqual([{ least: 0.25, most: 3 }])
  expect((await rows<{ n: number }>(ranges.counts(0.25, 3))).map(({ n }) => n)).toEqual([2, 2])
})
