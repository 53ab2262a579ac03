/**
 * Reads and writes browsers' session cookies, and checks that a request comes from our own pages. Knows nothing of who
 * is signed in.
 */
import { timingSafeEqual } from 'node:crypto'
import { errors } from '../../platform/errors/catalog.js'
import { hashKey } from './api-key.js'

const COOKIE = 'heddle_session'
/** Pages send {@link csrfToken} in it. Another site can't set it without a CORS preflight, which fails. */
const CSRF_HEADER = 'x-csrf-token'
const SAFE_METHODS: readonly string[] = ['GET']

/** The session that a browser sent; undefined if none. */
export function presentedSession(headers: ReadonlyMap<string, string>): string | undefined {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === COOKIE && value !== undefined && /^[\w]{1,128}$/.test(value)) return value
  }
  return undefined
}

/**
 * The headers that show who the caller is, to ask another of our services on the caller's behalf. Without a key these
 * are the session and its token.
 */
export function credentialsIn(headers: ReadonlyMap<string, string>): Record<string, string> {
  const key = headers.get('authorization')
  if (key !== undefined) return { authorization: key }
  const session = presentedSession(headers)
  if (session === undefined) return {}
  return { cookie: `${COOKIE}=${session}`, [CSRF_HEADER]: headers.get(CSRF_HEADER) ?? '' }
}

/** The token that a page sends with every request except GET. Only a holder of the cookie can compute it. */
export function csrfToken(session: string): string {
  return hashKey(`csrf ${session}`)
}

/**
 * Throws `BAD_ORIGIN` unless a page of this service sent the request. Checks `sec-fetch-site` and `origin` if the
 * browser sent them, and the token except for GET.
 */
export function mustBeOurPage(method: string, session: string, headers: ReadonlyMap<string, string>): void {
  if (!isSameOrigin(headers)) throw errors.badOrigin()
  if (SAFE_METHODS.includes(method)) return
  const given = Buffer.from(headers.get(CSRF_HEADER) ?? '')
  const wanted = Buffer.from(csrfToken(session))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw errors.badOrigin()
}

/** True unless the headers show that another site sent the request. */
export function isSameOrigin(headers: ReadonlyMap<string, string>): boolean {
  const site = headers.get('sec-fetch-site')
  // `none`: the user typed the address or opened a link outside the browser.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const origin = headers.get('origin')
  if (origin === undefined) return true
  // Reject `null` and other origins without a host, and a missing host header.
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return host === headers.get('x-forwarded-host') || host === headers.get('host')
}

/** The header that makes a browser store the session; an empty session deletes it. */
export function sessionCookie(
  session: string,
  seconds: number,
  headers: ReadonlyMap<string, string>,
): string {
  const secure = headers.get('x-forwarded-proto') === 'https' ? '; Secure' : ''
  return `${COOKIE}=${session}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}
