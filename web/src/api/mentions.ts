/** Notes that mention who is signed in, and who can be mentioned. */
import { queryOptions } from '@tanstack/react-query'
import { get, post, type Schemas } from './client'

export type Mention = Schemas['Mention']

const REFRESH_MS = 60_000

export const mentionsQuery = queryOptions({
  queryKey: ['mentions'],
  refetchInterval: REFRESH_MS,
  queryFn: ({ signal }) => get('/mentions/own', signal),
})

/** @param until `at` of the newest that was looked at */
export const sawMentions = (until: string) => post('/mentions/seen', { until })

/** Who may read the project, and is called so. */
export const mentionableQuery = (project: string, prefix: string | undefined) =>
  queryOptions({
    queryKey: ['mentionable', project, prefix],
    enabled: prefix !== undefined,
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await post('/mentions/people', { project_id: project, prefix: prefix! }, signal)).people,
  })
