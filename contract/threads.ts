import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { SortBy, timeIn } from './calls-read.js'
import { Query } from './query-expr.js'
import { component, orNull, projectId, readInBody, shortText, timeOut } from './shared.js'

const ThreadsQueryFilter = component('ThreadsQueryFilter', {
  after_datetime: orNull(timeIn),
  before_datetime: orNull(timeIn),
  thread_ids: orNull(z.array(shortText)).describe('an empty list matches everything'),
})

const ThreadsQueryReq = component('ThreadsQueryReq', {
  project_id: projectId,
  filter: orNull(ThreadsQueryFilter).describe('times apply to the start of each turn and are exclusive'),
  limit: orNull(z.int()).describe('null: no limit; negative numbers are refused'),
  offset: orNull(z.int()),
  sort_by: orNull(z.array(SortBy)).describe(
    'thread_id, turn_count, start_time, last_updated, p50_turn_duration_ms, p99_turn_duration_ms; default: last_updated desc',
  ),
})
export type ThreadsQueryReq = z.output<typeof ThreadsQueryReq>

export const threadsStreamQuery = route({
  ...readInBody,
  id: 'threads_query_stream',
  path: '/threads/stream_query',
  tag: 'Threads',
  summary: 'List threads of a project and statistics of their turns, as JSON lines',
  body: ThreadsQueryReq,
  answer: component('ThreadSchema', {
    thread_id: z.string(),
    turn_count: z.int(),
    start_time: timeOut,
    last_updated: timeOut,
    first_turn_id: z.string().nullable(),
    last_turn_id: z.string().nullable(),
    p50_turn_duration_ms: z.number().nullable(),
    p99_turn_duration_ms: z.number().nullable(),
  }),
  produces: 'application/jsonl',
})

/** What a list of groups of calls says of each: a thread, or an end user. */
export const callTotals = {
  call_count: z.int(),
  error_count: z.int().describe('calls that failed'),
  total_tokens: z.int(),
  total_cost: z.number().nullable().describe('null: no model has a price'),
  scores: z
    .array(
      component('ScoreOfCalls', {
        name: z.string().describe('the type of the feedback'),
        count: z.int(),
        mean: z.number().nullable().describe('of numbers, and of yes and no as 1 and 0; null: it has none'),
      }),
    )
    .describe('on its calls, by name'),
  reactions: z.record(z.string(), z.int()).describe('by emoji, without skin tones'),
}

/** What a list of groups of calls says beside them. */
export const totalsOfList = {
  total_count: z.int(),
  since: timeOut
    .nullable()
    .describe(
      'sorted by tokens or cost, a list is of the newest calls if there are too many: all in it is of calls that began since then; null: of all',
    ),
}

/** Which calls are summed up, and which part of the list is asked for. */
export const callTotalsAsked = {
  project_id: projectId,
  started_after: timeIn.nullish(),
  started_before: timeIn.nullish(),
  limit: z.int().min(0).max(1000).default(100),
  offset: z.int().min(0).default(0),
}

const THREAD_SORTS = [
  ...(['thread_id', 'turn_count', 'call_count', 'error_count', 'total_tokens', 'total_cost'] as const),
  ...(['start_time', 'last_updated', 'p50_turn_duration_ms', 'p99_turn_duration_ms', 'end_user'] as const),
] as const

const ThreadsListReq = component('ThreadsListReq', {
  ...callTotalsAsked,
  thread_ids: z.array(shortText).max(1000).default([]).describe('empty: any'),
  with_calls: z
    .array(Query)
    .max(10)
    .default([])
    .describe('each is met by a call of the thread, not all by the same one'),
  sort_by: z
    .array(
      component('ThreadsSortBy', {
        field: z.enum(THREAD_SORTS),
        direction: z.enum(['asc', 'desc']).default('desc'),
      }),
    )
    .max(20)
    .default([])
    .describe('default: last_updated'),
})
export type ThreadsListReq = z.output<typeof ThreadsListReq>
export type ThreadSort = (typeof THREAD_SORTS)[number]

export const ThreadOfList = component('ThreadOfList', {
  thread_id: z.string(),
  turn_count: z.int(),
  start_time: timeOut,
  last_updated: timeOut,
  p50_turn_duration_ms: z.number().nullable(),
  p99_turn_duration_ms: z.number().nullable(),
  end_user: z.string().nullable().describe('whom the application served, as the calls say'),
  first_message: z.string().nullable().describe('the beginning of what was asked first'),
  ...callTotals,
})
export type ThreadOfList = z.output<typeof ThreadOfList>

export const threadsQuery = route({
  ...readInBody,
  id: 'threads_query',
  path: '/threads/query',
  tag: 'Threads',
  summary: 'List threads with what their calls add up to: errors, tokens, cost, scores',
  body: ThreadsListReq,
  answer: component('ThreadsListRes', { threads: z.array(ThreadOfList), ...totalsOfList }),
})
