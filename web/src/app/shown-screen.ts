/** Which screen of the navigation the shown page belongs to. */
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from '@tanstack/react-router'
import { objectQuery } from '../api/objects'
import { useProject, useShownId } from './project'

/** The lists in the navigation that objects of a type are in; the list of objects has all others. */
const LISTS: Readonly<Record<string, string>> = { Dataset: 'datasets', Prompt: 'prompts' }

/** @param type of the object that is shown, if it is known */
export function screenOf(pathname: string, type?: string | null): string | undefined {
  const [, , , room, screen, id] = pathname.split('/')
  if (room === 'r') return 'traces'
  if (screen === 'compare-evaluations') return 'evaluations'
  if (screen === 'ops') return 'objects'
  return screen === 'objects' && id ? (LISTS[type ?? ''] ?? screen) : screen
}

/** Its path below a project, as in `screens`. */
export function useShownScreen(): string | undefined {
  const { pathname } = useLocation()
  const { id: project } = useProject()
  const { digest = 'latest' } = useParams({ strict: false })
  const id = useShownId()
  const isObject = screenOf(pathname) === 'objects' && id !== ''
  // The page itself asks for it, too.
  const { data } = useQuery({ ...objectQuery(project, id, digest), enabled: isObject })
  return screenOf(pathname, isObject ? data?.base_object_class : undefined)
}
