/** Declaration of the route that lists threads. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { SortBy, timeIn } from './calls-read.js'
import { projectId, timeOut } from './shared.js'

const ThreadsQueryFilter = z
  .object({
    after_datetime: timeIn.nullable().default(null),
    before_datetime: timeIn.nullable().default(null),
    thread_ids: z
      .array(z.string())
      .nullable()
      .default(null)
      .meta({ description: 'an empty list is no condition' }),
  })
  .meta({ id: 'ThreadsQueryFilter' })

const ThreadsQueryReq = z
  .object({
    project_id: projectId,
    filter: ThreadsQueryFilter.nullable().default(null).meta({
      description: 'times hold for the start of each turn, exclusively',
    }),
    limit: z
      .int()
      .nullable()
      .default(null)
      .meta({ description: 'null: no limit; negative numbers are refused' }),
    offset: z.int().nullable().default(null),
    sort_by: z.array(SortBy).nullable().default(null).meta({
      description:
        'thread_id, turn_count, start_time, last_updated, p50_turn_duration_ms, p99_turn_duration_ms; default: last_updated desc',
    }),
  })
  .meta({ id: 'ThreadsQueryReq' })
export type ThreadsQueryReq = z.output<typeof ThreadsQueryReq>

export const threadsStreamQuery = route({
  id: 'threads_query_stream',
  method: 'POST',
  path: '/threads/stream_query',
  tag: 'Threads',
  summary: 'Threads of a project as JSON lines, with statistics of their turns',
  access: 'read',
  project: 'body',
  body: ThreadsQueryReq,
  answer: z
    .object({
      thread_id: z.string(),
      turn_count: z.int(),
      start_time: timeOut,
      last_updated: timeOut,
      first_turn_id: z.string().nullable(),
      last_turn_id: z.string().nullable(),
      p50_turn_duration_ms: z.number().nullable(),
      p99_turn_duration_ms: z.number().nullable(),
    })
    .meta({ id: 'ThreadSchema' }),
  produces: 'application/jsonl',
})
