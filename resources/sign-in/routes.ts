import * as declared from '../../contract/sign-in.js'
import { isSameOrigin, sessionCookie } from '../../domain/auth/session-cookie.js'
import { attemptCookie } from '../../domain/sign-in/attempt.js'
import type { Provider } from '../../domain/sign-in/provider.js'
import { returnAddress } from '../../domain/sign-in/return-address.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { redirectReply } from '../../platform/http/respond.js'
import { sessionReply } from '../session/routes.js'
import type { SignInFlow } from './flow.js'
import type { MailLinks } from './mail-links.js'
import { Tries } from './tries.js'

export interface SignInParts {
  providers: ReadonlyMap<string, Provider>
  flow: SignInFlow
  /** undefined: none are sent */
  links: MailLinks | undefined
}

/** What a caller may try in a quarter of an hour: many people may come by one proxy that is not trusted to say who they are. */
const MOST_TRIES = 600

export function signInRoutes({ providers, flow, links }: SignInParts): Bound[] {
  const ways = {
    providers: [...providers.values()].map(({ settings: { name, title } }) => ({ name, title })),
    email: links !== undefined,
  }
  const tries = new Tries(MOST_TRIES)
  return [
    serve(declared.readWays, ({ query: { error: code } }) => {
      const error = code === undefined ? undefined : sentenceOf(code)
      return new Reply(200, 'application/json', JSON.stringify({ ...ways, error }), {
        'cache-control': 'no-store',
      })
    }),
    serve(declared.startSignIn, async ({ params, query, headers }) => {
      // An image of another site would replace what this browser keeps.
      if ((headers.get('sec-fetch-mode') ?? 'navigate') !== 'navigate') throw errors.badOrigin()
      const { address, attempt } = await flow.start(params.provider, query.next, headers)
      return redirectReply(address, { 'set-cookie': attemptCookie(attempt, headers) })
    }),
    serve(declared.finishSignIn, async ({ params, query, note, ...caller }) => {
      tries.admit(caller.remoteAddress)
      const { session, principal, seconds, next } = await flow.finish(params.provider, query, caller)
      note?.({ principal })
      return goOnPage(next, { 'set-cookie': sessionCookie(session, seconds, caller.headers) })
    }),
    serve(declared.sendLink, ({ body, ...caller }) => {
      if (!isSameOrigin(caller.headers)) throw errors.badOrigin()
      links?.ask(body.email, returnAddress(body.next), caller.remoteAddress)
      return { ok: true }
    }),
    serve(declared.openLink, async ({ body, note, ...caller }) => {
      if (!isSameOrigin(caller.headers)) throw errors.badOrigin()
      tries.admit(caller.remoteAddress)
      const { session, principal, seconds, next } = await flow.byLink(body.link, caller)
      note?.({ principal })
      return sessionReply(principal, session, { next }, sessionCookie(session, seconds, caller.headers))
    }),
    serve(declared.endFromProvider, async ({ params, bytes, ...caller }) => {
      tries.admit(caller.remoteAddress)
      const token = new URLSearchParams(Buffer.from(bytes).toString()).get('logout_token')
      if (token === null) throw errors.badRequest('Send a logout_token.')
      await flow.ended(params.provider, token)
      return { ok: true }
    }),
  ]
}

/**
 * The page that follows a provider's answer. The session's cookie is not sent along with what another site leads to, so
 * the browser goes on from a page of this service.
 */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** @param next a path of this service @param cookies that the browser keeps */
function goOnPage(next: string, cookies: Record<string, string>): Reply {
  const address = next.replaceAll(/[&<>"']/g, (char) => ESCAPES[char]!)
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0;url=${address}">
<title>Heddle</title>
<p>You are signed in. <a href="${address}">Go on</a></p>
</html>
`
  return new Reply(200, 'text/html; charset=utf-8', text, { ...HEADERS, ...cookies })
}

/** What the sign-in page says of an error that a browser was sent back with: the code alone is in its address. */
const SENTENCES = new Map(
  [
    errors.signInExpired(),
    errors.signInUsed(),
    errors.signInBadAnswer(),
    errors.signInRefused(),
    errors.signInDenied(),
    errors.signInNotAllowed(),
    errors.signInEmailNotVerified(),
    errors.signInNameTaken(),
    errors.signInMisconfigured('see the log'),
    errors.signInProviderDown(),
    errors.signInNoProvider(),
    errors.signInBadLink(),
    errors.signInTooOften(),
    errors.userInactive(),
    errors.overloaded(),
    errors.stopping(),
  ].map(({ code, reason }) => [code, reason]),
)

/** The sentence of a code; of any other, that something failed. */
function sentenceOf(code: string): string {
  const named = /^[A-Z][A-Z_]{1,60}$/.test(code) ? ` (${code})` : ''
  return (
    SENTENCES.get(code) ??
    `Signing in failed${named}; try again in a minute, and tell an operator if that does not help.`
  )
}
