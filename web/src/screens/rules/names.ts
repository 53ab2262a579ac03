/** The names that a form offers: of objects of a project, and of its ops. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { nameOf } from '../../api/calls'
import { type Obj, objectsQuery } from '../../api/objects'
import { newestCallsQuery } from '../../api/rules'

/** What the server can evaluate by itself. */
export const CALLABLE = 'LLMStructuredCompletionModel'

const sorted = (names: readonly string[]) => [...new Set(names)].sort()

/** @param type a class, or '' for all but ops */
export function useObjectNames(project: string, type: string, isOffered?: (one: Obj) => boolean): string[] {
  const { data } = useInfiniteQuery(objectsQuery(project, type))
  const found = data?.pages.flat() ?? []
  return sorted((isOffered ? found.filter(isOffered) : found).map(({ object_id: id }) => id))
}

/** Those that were published, and those that the newest calls have. */
export function useOpNames(project: string): string[] {
  const published = useObjectNames(project, 'Op')
  const { data: calls = [] } = useQuery(newestCallsQuery(project))
  return sorted([...published, ...calls.map(({ op_name }) => nameOf({ op_name, display_name: null }))])
}
