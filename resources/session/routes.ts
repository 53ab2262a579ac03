/** The routes that sign people in to the pages, bound. */
import * as declared from '../../contract/session.js'
import { hashKey } from '../../domain/auth/api-key.js'
import {
  csrfToken,
  isSameOrigin,
  presentedSessions,
  sessionCookie,
  usableSessions,
} from '../../domain/auth/session-cookie.js'
import { SESSION_MS, type Sessions } from '../../domain/auth/sessions.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'

const NOT_KEPT = { 'cache-control': 'no-store' }

export function sessionRoutes(sessions: Sessions): Bound[] {
  /** The session that the request is made with; empty if with a key. */
  const current = async (method: string, headers: ReadonlyMap<string, string>): Promise<string> => {
    const sent = presentedSessions(headers)
    if (headers.has('authorization') || sent.length === 0) return ''
    return (await sessions.firstLive(usableSessions(method, sent, headers))).session
  }
  const closed = (headers: ReadonlyMap<string, string>) =>
    new Reply(200, 'application/json', '{"ok":true}', {
      ...NOT_KEPT,
      'set-cookie': sessionCookie('', 0, headers),
    })
  return [
    serve(declared.openSession, async ({ body, headers, note }) => {
      if (!isSameOrigin(headers)) throw errors.badOrigin()
      if ((body.key === undefined) === (body.code === undefined))
        throw errors.badRequest('Send a key or a code.')
      const keyHash = body.key === undefined ? sessions.redeem(body.code!) : hashKey(body.key)
      const { session, principal } = await sessions.open(keyHash)
      note?.({ principal })
      // The browser forgets it: nobody else should still have it.
      for (const old of presentedSessions(headers)) await sessions.end(old)
      return answer(principal, session, {
        'set-cookie': sessionCookie(session, SESSION_MS / 1000, headers),
      })
    }),
    serve(declared.readSession, async ({ principal, headers }) =>
      answer(principal, await current('GET', headers)),
    ),
    serve(declared.closeSession, async ({ headers }) => {
      const session = await current('DELETE', headers)
      if (session !== '') await sessions.end(session)
      return closed(headers)
    }),
    serve(declared.listSessions, async ({ headers }) => {
      const found = await sessions.alike(await current('GET', headers))
      return {
        sessions: found.map(({ createdAt, expiresAt, isCurrent }) => ({
          created_at: createdAt,
          expires_at: expiresAt,
          is_current: isCurrent,
        })),
      }
    }),
    serve(declared.closeSessions, async ({ headers }) => {
      await sessions.endAlike(await current('DELETE', headers))
      return closed(headers)
    }),
  ]
}

function answer(
  { username, userId, isUser, whole: { grants } }: Principal,
  session: string,
  headers: Record<string, string> = {},
): Reply {
  const value = { username, grants, user_id: isUser ? userId : null, csrf_token: csrfToken(session) }
  return new Reply(200, 'application/json', JSON.stringify(value), { ...NOT_KEPT, ...headers })
}
