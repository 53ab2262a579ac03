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
      // The interface of training and chat knows keys alone, and has the documentation, too.
      if (error instanceof ApiError && [401, 404].includes(error.status)) return null
      throw error
    }
  },
})

/** How one may sign in. @param error a code, to be told in a sentence */
export const waysQuery = (error?: string) =>
  queryOptions({
    queryKey: ['ways', error],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      get('/sign-in/ways', signal, error === undefined ? '' : `?error=${encodeURIComponent(error)}`),
  })

/** Has a link to sign in sent by mail. @param next where it leads then */
export const sendLink = (email: string, next: string) => post('/sign-in/email', { email, next })

/** What one signs in with. */
export type Signing = { key: string } | { code: string } | { link: string }

/** Signs in. @returns the session, and where it leads, if the link says so */
export async function signIn(by: Signing): Promise<{ session: Schemas['SessionRes']; next?: string }> {
  const { next, ...session } =
    'link' in by ? await post('/sign-in/link', by) : { next: undefined, ...(await post('/session', by)) }
  setCsrfToken(session.csrf_token)
  signings.postMessage('in')
  return { session, ...(next !== undefined && { next }) }
}

/** Signs out. @returns where the browser goes then */
export const signOut = () => leave('/session')

/** Ends all sessions of the same user, or with the same key. @returns where the browser goes then */
export const signOutEverywhere = () => leave('/sessions')

/** Ends another session of the same user, or with the same key. */
export async function endSession(id: string): Promise<void> {
  await send('DELETE', `/sessions/${id}`)
}

export type Session = Schemas['SessionsRes']['sessions'][number]

/** One's sessions, or those of one's key, the newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await get('/sessions', signal)).sessions,
})

async function leave(path: '/session' | '/sessions'): Promise<string> {
  const { continue_at: to = '/signin' } = (await (
    await send('DELETE', path)
  ).json()) as Schemas['SignedOutRes']
  setCsrfToken('')
  signings.postMessage('out')
  return to
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

/** Whether who is signed in administers anything. @param area the tag of the routes that are meant */
export function useIsAdmin(area: string): boolean {
  const { data: session } = useQuery(sessionQuery)
  return (session?.grants ?? []).some((one) => one.right === 'admin' && (one.area ?? area) === area)
}
