/** The projects that who is signed in may read. */
import { queryOptions } from '@tanstack/react-query'
import { calmly } from './calmly'
import { get } from './client'

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await get('/projects', signal)).projects,
  refetchInterval: calmly(10_000),
})
