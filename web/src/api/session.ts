/** Who is signed in. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError, get, post, type Schemas, send, setCsrfToken } from './client'

/** Tells all tabs that somebody signed in or out. */
export const signings = new BroadcastChannel('heddle.session')

/** null: nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    try {
      const session = await get('/session', signal)
      setCsrfToken(session.csrf_token)
      return session
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
})

/** Signs in, with a key or a one-time code. */
export async function signIn(by: { key: string } | { code: string }) {
  const session = await post('/session', by)
  setCsrfToken(session.csrf_token)
  signings.postMessage('in')
  return session
}

export const signOut = () => leave('/session')

/** Ends the sessions of all browsers that are signed in with the same key. */
export const signOutEverywhere = () => leave('/sessions')

export type Session = Schemas['SessionsRes']['sessions'][number]

/** The sessions of one's key, the newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await get('/sessions', signal)).sessions,
})

async function leave(path: '/session' | '/sessions'): Promise<void> {
  await send('DELETE', path)
  setCsrfToken('')
  signings.postMessage('out')
}

type Grants = Schemas['SessionRes']['grants']
type Right = Grants[number]['right']
const RANK: Record<Right, number> = { read: 1, write: 2, admin: 3 }

/** Whether who has these rights has this one over a project. @param area the tag of the routes that are meant */
function may(right: Right, project: string, area: string, grants: Grants): boolean {
  const within = ['*', project.split('/')[0], project]
  return grants.some(
    (one) =>
      RANK[one.right] >= RANK[right] &&
      within.includes(one.scope) &&
      (one.area === undefined || one.area === area),
  )
}

/**
 * Whether who is signed in has this right over a project.
 * @param area the tag of the routes that are meant; default: those of all areas
 */
export function useMay(right: Right, project: string, area = ''): boolean {
  const { data: session } = useQuery(sessionQuery)
  return may(right, project, area, session?.grants ?? [])
}
