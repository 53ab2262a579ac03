/** The projects to choose from while somebody types a part of a name. */
import { useQuery } from '@tanstack/react-query'
import { firstProjectsQuery, foundProjectsQuery } from '../api/projects'
import { useSettled } from '../ui/settled'

interface Projects {
  /** names in their order, also such as don't have the text; undefined: not read yet */
  known: readonly string[] | undefined
  /** those of them that have it */
  found: readonly string[]
  /** there are others with this text */
  hasMore: boolean
  error: Error | null
  refetch: () => void
}

/** Those of the names that have the text, in any case of its letters. */
export const withText = (names: readonly string[], text: string): string[] => {
  const part = text.trim().toLowerCase()
  return names.filter((name) => name.toLowerCase().includes(part))
}

/** Filters the first projects at once; if there are others, the service looks for the text among all of them. */
export function useProjects(text: string, enabled = true): Projects {
  const sought = useSettled(text.trim())
  const { data: first, error, refetch } = useQuery({ ...firstProjectsQuery, enabled })
  const isPart = first !== undefined && first.next_cursor !== null
  const { data: more, error: wrong } = useQuery({
    ...foundProjectsQuery(sought),
    enabled: enabled && isPart && sought !== '',
  })
  const shown = [...(first?.projects ?? []), ...(isPart && sought !== '' ? (more?.projects ?? []) : [])]
  const known = first && [...new Set(shown.map(({ project_id: id }) => id))].sort()
  return {
    known,
    found: withText(known ?? [], text),
    hasMore: isPart && (sought === '' || more === undefined || more.next_cursor !== null),
    error: error ?? wrong,
    refetch: () => void refetch(),
  }
}
