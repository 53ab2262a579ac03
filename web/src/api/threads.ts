/** Threads of a project, the turns of one, and the calls of a turn. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { NAME_COLUMNS } from '../../../domain/calls/listed-fields'
import { type Call, equals, post, queryCalls, type Schemas } from './client'
import { pollInterval } from './poll-interval'

export type Thread = Schemas['ThreadOfList']

const THREADS = 100
const TURNS = 1_000
/** Of a turn: more are in its trace. */
export const STEPS = 200
const REFRESH_MS = 10_000

type Asked = Omit<Schemas['ThreadsListReq'], 'project_id'>

/** @param asked what the address says @param request what is asked for, made when it is asked */
export const threadsQuery = <Search extends object>(
  project: string,
  asked: Search,
  request: (asked: Search) => Asked,
) =>
  infiniteQueryOptions({
    queryKey: ['threads', project, 'list', asked],
    initialPageParam: 0,
    refetchInterval: pollInterval(REFRESH_MS),
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      post(
        '/threads/query',
        { project_id: project, ...request(asked), limit: THREADS, offset: pageParam },
        signal,
      ),
    getNextPageParam: ({ total_count: total }, pages) =>
      pages.length * THREADS < total ? pages.length * THREADS : undefined,
  })

/** What the calls of a thread add up to; undefined: it has no turn. */
export const threadQuery = (project: string, thread: string) =>
  queryOptions({
    queryKey: ['threads', project, 'one', thread],
    refetchInterval: pollInterval(REFRESH_MS),
    queryFn: async ({ signal }) => {
      const { threads } = await post('/threads/query', { project_id: project, thread_ids: [thread] }, signal)
      return threads[0] ?? null
    },
  })

/** The threads of an end user that were active last. */
export const threadsOfUserQuery = (project: string, user: string, limit: number) =>
  queryOptions({
    queryKey: ['threads', project, 'of user', user, limit],
    queryFn: ({ signal }) =>
      post(
        '/threads/query',
        {
          project_id: project,
          with_calls: [{ $expr: equals('end_user', user) }],
          limit,
        },
        signal,
      ),
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
          columns: ['id', ...NAME_COLUMNS, 'started_at', 'ended_at', 'exception'],
          sort_by: [{ field: 'started_at', direction: 'asc' }],
          limit: TURNS,
          offset: pageParam,
        },
        signal,
      ),
    getNextPageParam: (last, pages) => (last.length < TURNS ? undefined : pages.length * TURNS),
  })

/** A turn with its steps, which are of its trace. It is read anew when it has ended. */
export const turnQuery = (project: string, { id, trace_id, ended_at }: Call) =>
  queryOptions({
    queryKey: ['threads', project, 'turn', id, ended_at],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      queryCalls(
        {
          project_id: project,
          filter: { turn_ids: [id], trace_ids: [trace_id] },
          include_feedback: true,
          sort_by: [{ field: 'started_at', direction: 'asc' }],
          limit: STEPS,
        },
        signal,
      ),
  })
