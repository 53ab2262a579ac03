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
import { originOfSession } from '../sign-in/caller.js'

const NOT_KEPT = { 'cache-control': 'no-store' }

/** @param leave where a browser goes that signs out of a session; undefined: nowhere */
export function sessionRoutes(
  sessions: Sessions,
  leave: (session: string, headers: ReadonlyMap<string, string>) => Promise<string | undefined>,
): Bound[] {
  /** The session that the request is made with; empty if with a key. */
  const current = async (method: string, headers: ReadonlyMap<string, string>): Promise<string> => {
    const sent = presentedSessions(headers)
    if (headers.has('authorization') || sent.length === 0) return ''
    return (await sessions.firstLive(usableSessions(method, sent, headers))).session
  }
  const closed = (headers: ReadonlyMap<string, string>, goTo?: string) =>
    new Reply(200, 'application/json', JSON.stringify({ ok: true, continue_at: goTo }), {
      ...NOT_KEPT,
      'set-cookie': sessionCookie('', 0, headers),
    })
  return [
    serve(declared.openSession, async ({ body, note, ...caller }) => {
      const { headers } = caller
      if (!isSameOrigin(headers)) throw errors.badOrigin()
      if ((body.key === undefined) === (body.code === undefined))
        throw errors.badRequest('Send a key or a code.')
      const keyHash = body.key === undefined ? sessions.redeem(body.code!) : hashKey(body.key)
      const { session, principal } = await sessions.open(keyHash, originOfSession(caller))
      note?.({ principal })
      // The browser forgets it: nobody else should still have it.
      for (const old of presentedSessions(headers)) await sessions.end(old)
      return sessionReply(principal, session, {}, sessionCookie(session, SESSION_MS / 1000, headers))
    }),
    serve(declared.readSession, async ({ principal, headers }) =>
      sessionReply(principal, await current('GET', headers)),
    ),
    serve(declared.closeSession, async ({ headers }) => {
      const session = await current('DELETE', headers)
      const goTo = await leave(session, headers)
      if (session !== '') await sessions.end(session)
      return closed(headers, goTo)
    }),
    serve(declared.listSessions, async ({ headers }) => {
      const found = await sessions.alike(await current('GET', headers))
      return {
        sessions: found.map(({ id, browser, address, createdAt, expiresAt, seenAt, isCurrent }) => ({
          ...{ id, browser, address, created_at: createdAt, expires_at: expiresAt },
          seen_at: seenAt === '' ? null : seenAt,
          is_current: isCurrent,
        })),
      }
    }),
    serve(declared.closeOneSession, async ({ params, headers }) => {
      const session = await current('DELETE', headers)
      if (session === '' || !(await sessions.endOne(session, params.session_id)))
        throw errors.notFound(`Your session ${params.session_id}`)
      return { ok: true }
    }),
    serve(declared.closeSessions, async ({ headers }) => {
      const session = await current('DELETE', headers)
      const goTo = await leave(session, headers)
      await sessions.endAlike(session)
      return closed(headers, goTo)
    }),
  ]
}

/** What a page learns of its session. @param cookie keeps it */
export function sessionReply(
  { username, userId, isUser, whole: { grants } }: Principal,
  session: string,
  more: Record<string, unknown> = {},
  cookie?: string,
): Reply {
  const user_id = isUser ? userId : null
  const value = { username, grants, user_id, csrf_token: csrfToken(session), ...more }
  const headers = { ...NOT_KEPT, ...(cookie !== undefined && { 'set-cookie': cookie }) }
  return new Reply(200, 'application/json', JSON.stringify(value), headers)
}
