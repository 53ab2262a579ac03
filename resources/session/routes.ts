/** The routes that sign people in to the pages, bound. */
import * as declared from '../../contract/session.js'
import { hashKey } from '../../domain/auth/api-key.js'
import { csrfToken, isSameOrigin, presentedSession, sessionCookie } from '../../domain/auth/session-cookie.js'
import { SESSION_MS, type Sessions } from '../../domain/auth/sessions.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'

const NOT_KEPT = { 'cache-control': 'no-store' }

export function sessionRoutes(sessions: Sessions): Bound[] {
  return [
    serve(declared.openSession, async ({ body, headers }) => {
      if (!isSameOrigin(headers)) throw errors.badOrigin()
      if ((body.key === undefined) === (body.code === undefined))
        throw errors.badRequest('Send a key or a code.')
      const keyHash = body.key === undefined ? sessions.redeem(body.code!) : hashKey(body.key)
      const { session, principal } = await sessions.open(keyHash)
      return answer(principal, session, {
        'set-cookie': sessionCookie(session, SESSION_MS / 1000, headers),
      })
    }),
    serve(declared.readSession, ({ principal, headers }) =>
      answer(principal, presentedSession(headers) ?? ''),
    ),
    serve(declared.closeSession, async ({ headers }) => {
      const session = presentedSession(headers)
      if (session !== undefined) await sessions.end(session)
      return new Reply(200, 'application/json', '{"ok":true}', {
        ...NOT_KEPT,
        'set-cookie': sessionCookie('', 0, headers),
      })
    }),
  ]
}

function answer(
  { username, grants }: Principal,
  session: string,
  headers: Record<string, string> = {},
): Reply {
  const value = { username, grants, csrf_token: csrfToken(session) }
  return new Reply(200, 'application/json', JSON.stringify(value), { ...NOT_KEPT, ...headers })
}
