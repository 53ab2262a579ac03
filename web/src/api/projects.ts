/** The projects that who is signed in may read. */
import { queryOptions } from '@tanstack/react-query'
import { get } from './client'
import { pollInterval } from './poll-interval'

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await get('/projects', signal)).projects,
  refetchInterval: pollInterval(10_000),
})
