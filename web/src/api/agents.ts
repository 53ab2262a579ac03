/** Agents of a project: what their spans add up to, the spans, and what was said. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { equals, post, type Schemas } from './client'

export type Turn = Schemas['AgentTraceChatRes']
export type ChatMessage = Schemas['AgentChatMessage']

const PAGE = 100
/** The service tells at most so many at once. */
const TURNS = 50
/** Of a chart over time. */
const BUCKETS = 60

/** How far the pages of a list that knows its length have come. */
const next = (shown: number, total: number) => (shown < total ? shown : undefined)

/** Fields by which the service sorts agents. */
export const AGENT_SORTS = [
  ['last_seen', 'Last seen'],
  ['invocation_count', 'Most invocations'],
  ['span_count', 'Most spans'],
  ['error_count', 'Most errors'],
  ['total_input_tokens', 'Most input tokens'],
] as const

const agentsRequest = (
  project: string,
  field: string,
  offset: number,
  limit: number,
  include_costs: boolean,
) => ({
  project_id: project,
  sort_by: [{ field, direction: 'desc' as const }],
  offset,
  limit,
  include_costs,
})

/** What the agents cost is read apart ({@link agentCostsQuery}): it takes a hundred times as long in a large project. */
export const agentsQuery = (project: string, field: string) =>
  infiniteQueryOptions({
    queryKey: ['agents', project, field],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      post('/agents/query', agentsRequest(project, field, pageParam, PAGE, false), signal),
    getNextPageParam: ({ total_count: total }, pages) => next(pages.length * PAGE, total),
  })

/** Dollars by agent; null: no price is known. @param pages of {@link agentsQuery} */
export const agentCostsQuery = (project: string, field: string, pages: number) =>
  queryOptions({
    queryKey: ['agents', project, 'costs', field, pages],
    queryFn: async ({ signal }) => {
      const answer = await post('/agents/query', agentsRequest(project, field, 0, pages * PAGE, true), signal)
      return new Map(answer.agents.map((agent) => [agent.agent_name, agent.total_cost_usd]))
    },
    placeholderData: keepPreviousData,
  })

/** Those seen last. */
export const agentVersionsQuery = (project: string, agent: string) =>
  queryOptions({
    queryKey: ['agents', project, 'versions', agent],
    queryFn: ({ signal }) =>
      post(
        '/agents/agent-versions/query',
        { project_id: project, agent_name: agent, limit: PAGE, include_costs: true },
        signal,
      ),
  })

const allOf = (conditions: object[]): { query?: Schemas['Query'] } =>
  conditions.length === 0 ? {} : { query: { $expr: { $and: conditions } } as Schemas['Query'] }

/** Those seen last. @param agent '' for those of all */
export const conversationsQuery = (project: string, agent: string) =>
  infiniteQueryOptions({
    queryKey: ['agents', project, 'conversations', agent],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      post(
        '/agents/spans/query',
        {
          project_id: project,
          ...allOf([
            { $not: [equals('conversation_id', '')] },
            ...(agent === '' ? [] : [equals('agent_name', agent)]),
          ]),
          group_by: [{ key: 'conversation_id' }],
          measures: [{ alias: 'turns', aggregation: 'count_distinct', value: { key: 'trace_id' } }],
          sort_by: [{ field: 'last_seen', direction: 'desc' }],
          limit: PAGE,
          offset: pageParam,
          include_costs: true,
        },
        signal,
      ),
    getNextPageParam: ({ total_count: total }, pages) => next(pages.length * PAGE, total),
  })

/** The newest spans of an agent. @param only those that failed */
export const agentSpansQuery = (project: string, agent: string, only: 'all' | 'errors') =>
  infiniteQueryOptions({
    queryKey: ['agents', project, 'spans', agent, only],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      post(
        '/agents/spans/query',
        {
          project_id: project,
          ...allOf([
            equals('agent_name', agent),
            ...(only === 'errors' ? [equals('status_code', 'ERROR')] : []),
          ]),
          limit: PAGE,
          offset: pageParam,
          include_costs: true,
        },
        signal,
      ),
    getNextPageParam: ({ total_count: total }, pages) => next(pages.length * PAGE, total),
  })

const number = (alias: string, source: 'field' | 'derived', key: string) => ({
  alias,
  value_type: 'number' as const,
  value: { source, key },
})

/** Of an agent over time: its invocations, and all its spans. @param length ms until now */
export const agentStatsQuery = (project: string, agent: string, length: number) =>
  queryOptions({
    queryKey: ['agents', project, 'stats', agent, length],
    queryFn: async ({ signal }) => {
      const start = new Date(Date.now() - length).toISOString()
      const ask = (conditions: object[], metrics: Schemas['AgentSpanStatsMetricSpec'][]) =>
        post(
          '/agents/spans/stats',
          {
            project_id: project,
            ...allOf([equals('agent_name', agent), ...conditions]),
            start,
            granularity: Math.ceil(length / 1000 / BUCKETS),
            metrics,
          },
          signal,
        )
      const isError = { source: 'derived' as const, key: 'is_error' }
      const [invocations, spans] = await Promise.all([
        ask(
          [equals('operation_name', 'invoke_agent')],
          [
            {
              ...number('took', 'derived', 'duration_ms'),
              aggregations: ['count'],
              percentiles: [50, 95, 99],
            },
          ],
        ),
        ask(
          [],
          [
            { alias: 'errors', value_type: 'boolean', aggregations: ['count_true'], value: isError },
            number('input', 'field', 'input_tokens'),
            number('output', 'field', 'output_tokens'),
            number('cost', 'derived', 'total_cost_usd'),
          ],
        ),
      ])
      return { invocations: invocations.rows, spans: spans.rows }
    },
  })

/** Turns of a conversation, the newest page first; within a page in their order. */
export const conversationQuery = (project: string, conversation: string) =>
  infiniteQueryOptions({
    queryKey: ['agents', project, 'chat', conversation],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      post(
        '/agents/conversations/chat',
        {
          project_id: project,
          conversation_id: conversation,
          limit: TURNS,
          offset: pageParam,
          include_feedback: true,
          include_model_tool_calls: true,
        },
        signal,
      ),
    getNextPageParam: ({ has_more: hasMore }, pages) => (hasMore ? pages.length * TURNS : undefined),
  })

/** Messages with a text, by conversation. */
export const messagesQuery = (project: string, text: string) =>
  queryOptions({
    queryKey: ['agents', project, 'search', text],
    enabled: text !== '',
    queryFn: ({ signal }) =>
      post('/agents/search', { project_id: project, query: text, limit: PAGE }, signal),
  })
