/** The end users of the observed application: whom its calls name. Members of this service are in `people.ts`. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { NAME_COLUMNS } from '../../../domain/calls/listed-fields'
import { equals, post, queryCalls, type Schemas } from './client'
import { pollInterval } from './poll-interval'

export type EndUser = Schemas['EndUser']

const PAGE = 100
const REFRESH_MS = 10_000
const DAY_S = 86_400

type Asked = Omit<Schemas['EndUsersQueryReq'], 'project_id'>

/** @param asked what the address says @param request what is asked for, made when it is asked */
export const endUsersQuery = <Search extends object>(
  project: string,
  asked: Search,
  request: (asked: Search) => Asked,
) =>
  infiniteQueryOptions({
    queryKey: ['end-users', project, asked],
    initialPageParam: 0,
    refetchInterval: pollInterval(REFRESH_MS),
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      post(
        '/end_users/query',
        { project_id: project, ...request(asked), limit: PAGE, offset: pageParam },
        signal,
      ),
    getNextPageParam: ({ total_count: total }, pages) =>
      pages.length * PAGE < total ? pages.length * PAGE : undefined,
  })

/** What the calls for an end user add up to; null: there are none. */
export const endUserQuery = (project: string, user: string) =>
  queryOptions({
    queryKey: ['end-users', project, 'one', user],
    queryFn: async ({ signal }) => {
      const { end_users: found } = await post(
        '/end_users/query',
        { project_id: project, end_users: [user] },
        signal,
      )
      return found[0] ?? null
    },
  })

const isUser = (user: string) => equals('end_user', user)

/** Calls, errors, tokens and cost by day. @param days until now, at most 31 */
export const endUserStatsQuery = (project: string, user: string, days: number, timezone: string) =>
  queryOptions({
    queryKey: ['end-users', project, 'stats', user, days, timezone],
    queryFn: ({ signal }) =>
      post(
        '/calls/stats',
        {
          project_id: project,
          start: new Date(Date.now() - (days - 1) * DAY_S * 1000).toISOString(),
          granularity: DAY_S,
          timezone,
          call_metrics: [{ metric: 'call_count' }, { metric: 'error_count' }],
          usage_metrics: [{ metric: 'total_tokens' }, { metric: 'total_cost' }],
          query: { $expr: isUser(user) } as Schemas['Query'],
        },
        signal,
      ),
  })

const FEEDBACK = 20

/** The newest calls for an end user that somebody or something said something of. */
export const endUserFeedbackQuery = (project: string, user: string) =>
  queryOptions({
    queryKey: ['end-users', project, 'feedback', user],
    queryFn: ({ signal }) =>
      queryCalls(
        {
          project_id: project,
          query: {
            $expr: {
              $and: [
                isUser(user),
                { $convert: { input: { $getField: 'feedback.[*].payload' }, to: 'exists' } },
              ],
            },
          } as Schemas['Query'],
          columns: ['id', ...NAME_COLUMNS, 'started_at', 'thread_id', 'summary'],
          include_feedback: true,
          sort_by: [{ field: 'started_at', direction: 'desc' }],
          limit: FEEDBACK,
        },
        signal,
      ),
  })
