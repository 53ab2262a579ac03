/** Threads of a project, the turns of one, and the calls of a turn. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { allLines, queryCalls, type Schemas } from './client'

export type Thread = Schemas['ThreadSchema']

const THREADS = 200
const TURNS = 1_000
/** Of a turn: more are in its trace. */
export const STEPS = 200

export const threadsQuery = (project: string, sort: string) =>
  infiniteQueryOptions({
    queryKey: ['threads', project, sort],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      allLines<'/threads/stream_query', Thread>(
        '/threads/stream_query',
        {
          project_id: project,
          sort_by: [{ field: sort, direction: 'desc' }],
          limit: THREADS,
          offset: pageParam,
        },
        signal,
      ),
    getNextPageParam: (last: Thread[], pages: Thread[][]) =>
      last.length < THREADS ? undefined : pages.length * THREADS,
  })

/** The turns, the first one first, without what they hold: a turn is the call whose id its calls carry. */
export const turnsQuery = (project: string, thread: string) =>
  infiniteQueryOptions({
    queryKey: ['threads', project, 'turns', thread],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      queryCalls(
        {
          project_id: project,
          filter: { thread_ids: [thread] },
          query: { $expr: { $eq: [{ $getField: 'id' }, { $getField: 'turn_id' }] } },
          columns: ['id', 'op_name', 'display_name', 'started_at', 'ended_at', 'exception'],
          sort_by: [{ field: 'started_at', direction: 'asc' }],
          limit: TURNS,
          offset: pageParam,
        },
        signal,
      ),
    getNextPageParam: (last, pages) => (last.length < TURNS ? undefined : pages.length * TURNS),
  })

/** A turn with its steps. @param ended when it ended, so that it is read anew then */
export const turnQuery = (project: string, turn: string, ended: string | null | undefined) =>
  queryOptions({
    queryKey: ['threads', project, 'turn', turn, ended],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      queryCalls(
        {
          project_id: project,
          filter: { turn_ids: [turn] },
          sort_by: [{ field: 'started_at', direction: 'asc' }],
          limit: STEPS,
        },
        signal,
      ),
  })
