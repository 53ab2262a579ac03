/**
 * Sessions of browsers as values: where the cookie stands in a request, which requests may use it, and the token that
 * proves that a page of this service asks. Knows nothing of who is signed in.
 */
import { timingSafeEqual } from 'node:crypto'
import { errors } from '../../platform/errors/catalog.js'
import { hashKey } from './api-key.js'

const COOKIE = 'heddle_session'
/** Pages send {@link csrfToken} in it. Another site can't set it without asking first, which nobody answers. */
const CSRF_HEADER = 'x-csrf-token'
const SAFE_METHODS: readonly string[] = ['GET']

/** The session that a browser sent; undefined: none. */
export function presentedSession(headers: ReadonlyMap<string, string>): string | undefined {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === COOKIE && value !== undefined && /^[\w]{1,128}$/.test(value)) return value
  }
  return undefined
}

/** What a page sends with every request that is no plain read of an address. Only who has the cookie can compute it. */
export function csrfToken(session: string): string {
  return hashKey(`csrf ${session}`)
}

/**
 * Throws `BAD_ORIGIN` unless a page of this service sent the request. Browsers say so in `sec-fetch-site` and `origin`;
 * both are checked where they are there, and the token always but for GET.
 */
export function mustBeOurPage(method: string, session: string, headers: ReadonlyMap<string, string>): void {
  if (!isSameOrigin(headers)) throw errors.badOrigin()
  if (SAFE_METHODS.includes(method)) return
  const given = Buffer.from(headers.get(CSRF_HEADER) ?? '')
  const wanted = Buffer.from(csrfToken(session))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw errors.badOrigin()
}

/** Whether nothing in the headers says that another site asks. */
export function isSameOrigin(headers: ReadonlyMap<string, string>): boolean {
  const site = headers.get('sec-fetch-site')
  // `none`: the user typed the address or opened a link outside the browser.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const origin = headers.get('origin')
  if (origin === undefined) return true
  // `null` and the like name no host, and neither may a header that is missing.
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return host === headers.get('x-forwarded-host') || host === headers.get('host')
}

/** The header that makes a browser keep the session, or with an empty one forget it. */
export function sessionCookie(
  session: string,
  seconds: number,
  headers: ReadonlyMap<string, string>,
): string {
  const secure = headers.get('x-forwarded-proto') === 'https' ? '; Secure' : ''
  return `${COOKIE}=${session}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}
