/** The projects that who is signed in may read: the first by name, and those that a text finds. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, type Schemas } from './client'
import { pollInterval } from './poll-interval'

export type ProjectsPage = Schemas['ProjectsRes']

/** The first ones; where there are no more, all. */
export const firstProjectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => page('', signal),
  refetchInterval: pollInterval(10_000),
})

/** The same, as a list. */
export const projectsQuery = queryOptions({ ...firstProjectsQuery, select: ({ projects }) => projects })

/** Those with `text` in their name, among all. */
export const foundProjectsQuery = (text: string) =>
  queryOptions({
    queryKey: ['projects', text],
    queryFn: ({ signal }) => page(text, signal),
    placeholderData: keepPreviousData,
  })

const page = (search: string, signal: AbortSignal): Promise<ProjectsPage> =>
  get(`/projects?${new URLSearchParams({ search, limit: '1000' })}` as '/projects', signal)
