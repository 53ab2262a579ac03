/** The measured reads: the requests of a user interface, a script or an evaluation. */
import { caseOf, OPS, spanId, TRACE_SPANS, threadOf, traceId } from '../load/span-body.js'
import type { Chance } from '../load/text.js'
import type { Conversation } from './conversations.js'
import { enrichedPage } from './enriched.js'
import type { Filled, Project } from './fill.js'
import type { Scenario } from './scenario.js'

const NEWEST = [{ field: 'started_at', direction: 'desc' }]
const literal = (value: unknown) => ({ $literal: value })
const byCase = (serial: number) => ({
  $expr: { $eq: [{ $getField: 'inputs.input\\.value.case' }, literal(caseOf(serial))] },
})

const spanField = (key: string) => `attributes.otel_span.attributes.${key}`
const bySpan = (key: string, operator: string, value: unknown) => ({
  $expr: { [operator]: [{ $getField: spanField(key) }, literal(value)] },
})

/** All scenarios over what {@link Filled} says is there. */
export function scenarios(
  { big, searched }: Filled,
  opRefs: readonly string[],
  conversations: readonly Conversation[],
): Scenario[] {
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
    ...['count', 'page'].map(
      (kind): Scenario => ({
        name: `equality on an attribute of spans, ${kind}`,
        path: kind === 'count' ? stats : stream,
        body: (chance) => ({
          project_id: big.name,
          query: bySpan('gen_ai.conversation.id', '$eq', threadOf(any(big, chance))),
          ...(kind === 'page' && { sort_by: NEWEST, limit: 100 }),
        }),
        expects: 'some',
        target: 1000,
      }),
    ),
    {
      name: 'comparison with a number on an attribute of spans, count',
      path: stats,
      body: (chance) => ({
        project_id: big.name,
        query: bySpan('gen_ai.request.temperature', '$gt', 0.9 + chance.below(90) / 1000),
      }),
      expects: 'some',
      target: 1000,
    },
    {
      name: '100 highest by an attribute of spans',
      path: stream,
      body: page(() => ({
        sort_by: [{ field: spanField('gen_ai.request.temperature'), direction: 'desc' }],
      })),
      expects: 100,
      target: 1000,
    },
    statsOfMonth(big.name),
    {
      name: 'newest 100 with a word that no input has',
      path: stream,
      body: page((chance) => ({
        query: {
          $expr: {
            $contains: {
              input: { $getField: 'inputs.input\\.value.question' },
              substr: literal(`nobody${chance.bits()}`),
              case_insensitive: true,
            },
          },
        },
      })),
      expects: 0,
      target: 1000,
    },
    {
      name: 'newest 100 with a word that no output has',
      path: stream,
      body: page((chance) => ({
        query: {
          $expr: {
            $contains: {
              input: { $getField: 'output' },
              substr: literal(`nobody${chance.bits()}`),
              case_insensitive: true,
            },
          },
        },
      })),
      expects: 0,
      target: 1000,
    },
    {
      name: '100 slowest',
      path: stream,
      body: page(() => ({ sort_by: [{ field: 'summary.weave.latency_ms', direction: 'desc' }] })),
      expects: 100,
      target: 200,
    },
    {
      name: 'threads, newest 50',
      path: '/threads/stream_query',
      body: () => ({ project_id: big.name, limit: 50 }),
      expects: 50,
      target: 200,
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
    ...ofAgents(big, conversations),
  ]
}

const DAY_MS = 86_400e3

/** What a dashboard asks again and again. */
function statsOfMonth(project_id: string): Scenario {
  const start = new Date(Date.now() - 30 * DAY_MS).toISOString()
  return {
    name: 'statistics of 30 days by hour, with percentiles and costs, asked before',
    path: '/calls/stats',
    body: () => ({
      ...{ project_id, start, end: new Date().toISOString(), granularity: 3600 },
      call_metrics: [
        ...[{ metric: 'call_count' }, { metric: 'error_count' }],
        { metric: 'latency_ms', aggregations: ['avg'], percentiles: [50, 95, 99] },
      ],
      usage_metrics: [{ metric: 'total_tokens' }, { metric: 'total_cost' }],
    }),
    problem: lacks('usage_buckets'),
    target: 200,
  }
}

/** Budgets of lists, chats and sums of agents. */
const [LIST, CHAT, SUMS] = [100, 30, 200]

/** That an answer's list has `count` entries; without a count, any. */
const lacks = (name: string, count?: number) => (text: string) => {
  const { length } = (JSON.parse(text) as Record<string, unknown[]>)[name]!
  return (count === undefined ? length > 0 : length === count) ? undefined : `${length} ${name}`
}

/** What the pages of agents ask. */
function ofAgents(big: Project, conversations: readonly Conversation[]): Scenario[] {
  const now = Date.now()
  const day = {
    started_after: new Date(now - DAY_MS).toISOString(),
    started_before: new Date(now).toISOString(),
  }
  const project_id = big.name
  const oneOf = <T>(list: readonly T[], chance: Chance) => list[chance.below(list.length)]!
  const chat = '/agents/conversations/chat'
  const spans = '/agents/spans/query'
  const byConversation = {
    group_by: [{ key: 'conversation_id' }],
    ...{ query: { $expr: { $not: [{ $eq: [{ $getField: 'conversation_id' }, literal('')] }] } } },
    measures: [{ alias: 'turns', aggregation: 'count_distinct', value: { key: 'trace_id' } }],
    sort_by: [{ field: 'last_seen', direction: 'desc' }],
    ...{ limit: 50, include_costs: true },
  }
  return [
    {
      name: 'agents',
      path: '/agents/query',
      body: () => ({ project_id }),
      problem: lacks('agents'),
      target: LIST,
    },
    {
      name: 'versions of an agent',
      path: '/agents/agent-versions/query',
      body: (chance) => ({ project_id, agent_name: `assistant-${chance.below(20)}` }),
      problem: lacks('versions'),
      target: LIST,
    },
    {
      name: 'agents with costs',
      path: '/agents/query',
      body: () => ({ project_id, include_costs: true }),
      problem: lacks('agents'),
    },
    {
      name: 'newest 100 spans of agents',
      path: spans,
      body: () => ({ project_id, limit: 100 }),
      problem: lacks('spans', 100),
      target: LIST,
    },
    {
      name: 'newest 50 conversations of a day',
      path: spans,
      body: () => ({ project_id, ...day, ...byConversation }),
      problem: lacks('groups'),
      target: SUMS,
    },
    {
      name: 'newest 50 conversations of all time',
      path: spans,
      body: () => ({ project_id, ...byConversation }),
      problem: lacks('groups', 50),
      target: SUMS,
    },
    {
      name: 'newest 20 turns of a conversation, 200 spans',
      path: chat,
      body: (chance) => ({ project_id, conversation_id: threadOf(any(big, chance)), limit: 20 }),
      problem: lacks('turns'),
      target: CHAT,
    },
    {
      name: 'the same with messages',
      path: chat,
      body: (chance) => ({ project_id, conversation_id: oneOf(conversations, chance).id, limit: 20 }),
      problem: lacks('turns', 20),
      target: CHAT,
    },
    {
      name: 'one turn of a conversation',
      path: '/agents/traces/chat',
      body: (chance) => ({ project_id, trace_id: oneOf(oneOf(conversations, chance).turns, chance) }),
      problem: lacks('messages'),
      target: CHAT,
    },
    {
      name: 'search for a word in the messages of a day',
      path: '/agents/search',
      body: (chance) => ({ project_id, ...day, query: oneOf(conversations, chance).word }),
      problem: lacks('results', 1),
      target: SUMS,
    },
    {
      name: 'search for a word in the messages of all time',
      path: '/agents/search',
      body: (chance) => ({ project_id, query: oneOf(conversations, chance).word }),
      problem: lacks('results', 1),
      target: 1000,
    },
    {
      name: 'statistics of agents over a day, by hour',
      path: '/agents/spans/stats',
      body: () => ({
        ...{ project_id, start: day.started_after, end: day.started_before, granularity: 3600 },
        group_by: [{ key: 'agent_name' }],
        metrics: [
          { alias: 'in', value_type: 'number', value: { key: 'input_tokens' } },
          {
            ...{ alias: 'took', value_type: 'number', value: { source: 'derived', key: 'duration_ms' } },
            percentiles: [50, 95],
          },
        ],
      }),
      problem: lacks('rows'),
      target: SUMS,
    },
  ]
}

function any(project: Project, chance: Chance): number {
  return project.firstSerial + chance.below(project.calls)
}

function rootOf(serial: number): number {
  return serial - (serial % TRACE_SPANS)
}
