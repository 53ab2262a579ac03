/** The measured reads: the requests of a user interface, a script or an evaluation. */
import { caseOf, OPS, spanId, TRACE_SPANS, threadOf, traceId } from '../load/span-body.js'
import type { Chance } from '../load/text.js'
import { enrichedPage } from './enriched.js'
import type { Filled, Project } from './fill.js'
import type { Scenario } from './scenario.js'

const NEWEST = [{ field: 'started_at', direction: 'desc' }]
const literal = (value: unknown) => ({ $literal: value })
const byCase = (serial: number) => ({
  $expr: { $eq: [{ $getField: 'inputs.input\\.value.case' }, literal(caseOf(serial))] },
})

/** All scenarios over what {@link Filled} says is there. */
export function scenarios({ big, searched }: Filled, opRefs: readonly string[]): Scenario[] {
  const page = (more: (chance: Chance) => object) => (chance: Chance) => ({
    project_id: big.name,
    sort_by: NEWEST,
    limit: 100,
    ...more(chance),
  })
  const op = (chance: Chance) => opRefs[chance.below(opRefs.length)] ?? OPS[0]
  const stream = '/calls/stream_query'
  const stats = '/calls/query_stats'
  return [
    { name: 'latest 100, whole rows', path: stream, body: page(() => ({})), expects: 100, target: 30 },
    {
      name: 'latest 100 of an op',
      path: stream,
      body: page((chance) => ({ filter: { op_names: [op(chance)] } })),
      expects: 100,
    },
    {
      name: 'latest 100 roots',
      path: stream,
      body: page(() => ({ filter: { trace_roots_only: true } })),
      expects: 100,
    },
    { name: '100 at offset 10,000', path: stream, body: page(() => ({ offset: 10_000 })), expects: 100 },
    {
      name: 'by id',
      path: stream,
      body: (chance) => ({
        project_id: big.name,
        filter: { call_ids: [spanId(any(big, chance), big.seed)] },
      }),
      expects: 1,
      target: 20,
    },
    {
      name: 'by id, missing',
      path: stream,
      body: (chance) => ({
        project_id: big.name,
        filter: { call_ids: [chance.bits().toString(16).padStart(16, '0')] },
      }),
      expects: 0,
    },
    {
      name: 'one trace',
      path: stream,
      body: (chance) => ({
        project_id: big.name,
        filter: { trace_ids: [traceId(any(big, chance), big.seed)] },
      }),
      expects: TRACE_SPANS,
      target: 15,
    },
    {
      name: 'children of a call',
      path: stream,
      body: (chance) => ({
        project_id: big.name,
        filter: { parent_ids: [spanId(rootOf(any(big, chance)), big.seed)] },
      }),
      expects: TRACE_SPANS - 1,
    },
    { name: 'count', path: stats, body: () => ({ project_id: big.name }), expects: 'some', target: 10 },
    {
      name: 'count of an op',
      path: stats,
      body: (chance) => ({ project_id: big.name, filter: { op_names: [op(chance)] } }),
      expects: 'some',
    },
    {
      name: 'equality on a path in inputs, count',
      path: stats,
      body: (chance) => ({ project_id: searched.name, query: byCase(any(searched, chance)) }),
      expects: 1,
      target: 65,
    },
    {
      name: 'equality on a path in inputs, page',
      path: stream,
      body: (chance) => ({
        project_id: searched.name,
        sort_by: NEWEST,
        limit: 100,
        query: byCase(any(searched, chance)),
      }),
      expects: 1,
      target: 200,
    },
    {
      name: '100 slowest',
      path: stream,
      body: page(() => ({ sort_by: [{ field: 'summary.weave.latency_ms', direction: 'desc' }] })),
      expects: 100,
    },
    {
      name: 'threads, newest 50',
      path: '/threads/stream_query',
      body: () => ({ project_id: big.name, limit: 50 }),
      expects: 50,
    },
    {
      name: 'one thread',
      path: stream,
      body: (chance) => ({
        project_id: big.name,
        filter: { thread_ids: [threadOf(any(big, chance))] },
      }),
      expects: 'some',
    },
    enrichedPage(big.name),
    ...ofAgents(big),
  ]
}

const DAY_MS = 86_400e3
const lacks = (name: string) => (text: string) =>
  (JSON.parse(text) as Record<string, unknown[]>)[name]!.length > 0 ? undefined : `no ${name}`

/** What the page of agents asks. */
function ofAgents(big: Project): Scenario[] {
  const now = Date.now()
  const window = { start: new Date(now - DAY_MS).toISOString(), end: new Date(now).toISOString() }
  const project_id = big.name
  return [
    {
      name: 'agents',
      path: '/agents/query',
      body: () => ({ project_id }),
      problem: lacks('agents'),
      target: 100,
    },
    {
      name: 'agents with costs',
      path: '/agents/query',
      body: () => ({ project_id, include_costs: true }),
      problem: lacks('agents'),
    },
    {
      name: 'newest 20 turns of a conversation, 200 spans',
      path: '/agents/conversations/chat',
      body: (chance) => ({ project_id, conversation_id: threadOf(any(big, chance)), limit: 20 }),
      problem: lacks('turns'),
      target: 30,
    },
    {
      name: 'statistics of agents over a day, by hour',
      path: '/agents/spans/stats',
      body: () => ({
        ...{ project_id, ...window, granularity: 3600, group_by: [{ key: 'agent_name' }] },
        metrics: [
          { alias: 'in', value_type: 'number', value: { key: 'input_tokens' } },
          {
            ...{ alias: 'took', value_type: 'number', value: { source: 'derived', key: 'duration_ms' } },
            percentiles: [50, 95],
          },
        ],
      }),
      problem: lacks('rows'),
      target: 200,
    },
  ]
}

function any(project: Project, chance: Chance): number {
  return project.firstSerial + chance.below(project.calls)
}

function rootOf(serial: number): number {
  return serial - (serial % TRACE_SPANS)
}
