/** Who is signed in. */
import { queryOptions } from '@tanstack/react-query'
import { ApiError, get, post, send, setCsrfToken } from './client'

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

export async function signOut(): Promise<void> {
  await send('DELETE', '/session')
  setCsrfToken('')
  signings.postMessage('out')
}
