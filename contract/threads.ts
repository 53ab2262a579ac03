/** Declaration of the route that lists threads. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { SortBy, timeIn } from './calls-read.js'
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
