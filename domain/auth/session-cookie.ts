/** Reads and writes browsers' session cookies, and checks that a request comes from our own pages. */
import { timingSafeEqual } from 'node:crypto'
import { errors } from '../../platform/errors/catalog.js'
import { hostOf, isHttps } from '../../platform/http/forwarded.js'
import { BARE_HEADER, hashKey } from './api-key.js'

const COOKIE = 'heddle_session'
/** Behind TLS: browsers take it over TLS only and from this very host, so that no sibling of it can plant one. */
const HOST_COOKIE = `__Host-${COOKIE}`
/** Of more that a browser sends, the rest were planted. */
const MOST_COOKIES = 4
/** Pages send {@link csrfToken} in it. Another site can't set it without a CORS preflight, which fails. */
const CSRF_HEADER = 'x-csrf-token'
const SAFE_METHODS: readonly string[] = ['GET']

/**
 * The sessions that a browser sent, those of this very host first. Another port or a sibling of the host may have added
 * to them. Behind TLS, only what this host set counts.
 */
export function presentedSessions(headers: ReadonlyMap<string, string>): string[] {
  const sent = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('=', 2))
  const names = isHttps(headers) ? [HOST_COOKIE] : [HOST_COOKIE, COOKIE]
  return names
    .flatMap((wanted) => sent.flatMap(([name, value = '']) => (name === wanted ? [value] : [])))
    .filter((value) => /^\w{1,128}$/.test(value))
    .slice(0, MOST_COOKIES)
}

/**
 * The headers that show who the caller is, to ask another of our services on the caller's behalf. Without a key these
 * are the session and its token.
 */
export function credentialsIn(headers: ReadonlyMap<string, string>): Record<string, string> {
  for (const name of ['authorization', BARE_HEADER]) {
    const key = headers.get(name)
    if (key !== undefined) return { [name]: key }
  }
  const sessions = presentedSessions(headers)
  if (sessions.length === 0) return {}
  const cookie = sessions.map((session) => `${COOKIE}=${session}`).join('; ')
  return { cookie, [CSRF_HEADER]: headers.get(CSRF_HEADER) ?? '' }
}

/** The token that a page sends with every request except GET. Only a holder of the cookie can compute it. */
export function csrfToken(session: string): string {
  return hashKey(`csrf ${session}`)
}

/**
 * Of the sessions that a browser sent, those that this request may use: for GET all, else the one whose token the page
 * sent. @throws `BAD_ORIGIN` unless a page of this service sent the request, by `sec-fetch-site` and `origin` if the
 * browser sent them, and by the token
 */
export function usableSessions(
  method: string,
  sessions: readonly string[],
  headers: ReadonlyMap<string, string>,
): string[] {
  if (!isSameOrigin(headers)) throw errors.badOrigin()
  if (SAFE_METHODS.includes(method)) return [...sessions]
  const given = Buffer.from(headers.get(CSRF_HEADER) ?? '')
  const usable = sessions.filter((session) => {
    const wanted = Buffer.from(csrfToken(session))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
  if (usable.length === 0) throw errors.badOrigin()
  return usable
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
  return host === hostOf(headers) || host === headers.get('host')
}

/** The cookie that makes a browser store the session; an empty session deletes it. */
export function sessionCookie(
  session: string,
  seconds: number,
  headers: ReadonlyMap<string, string>,
): string {
  const [name, secure] = isHttps(headers) ? [HOST_COOKIE, '; Secure'] : [COOKIE, '']
  return `${name}=${session}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}
