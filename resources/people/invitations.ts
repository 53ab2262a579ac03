/** The routes about invitations, bound. */
import * as declared from '../../contract/people.js'
import { mustAdminister } from '../../domain/auth/grants.js'
import {
  csrfToken,
  isSameOrigin,
  presentedSessions,
  sessionCookie,
  usableSessions,
} from '../../domain/auth/session-cookie.js'
import { SESSION_MS, type Sessions } from '../../domain/auth/sessions.js'
import { mustGive } from '../../domain/people/authority.js'
import type { Directory } from '../../domain/people/directory.js'
import { BY_KEY, type Invitation, Invitations } from '../../domain/people/invitations.js'
import { sessionKeyId } from '../../domain/people/user.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { originOfSession } from '../sign-in/caller.js'

const NOT_KEPT = { 'cache-control': 'no-store' }

/** @param sessions undefined: nobody can sign in here, so nobody can accept one */
export function invitationRoutes(directory: Directory, sessions: Sessions | undefined): Bound[] {
  const invitations = new Invitations(directory)
  const routes = [
    serve(declared.listInvitations, async ({ principal }) => ({
      invitations: (await invitations.open())
        .filter(({ scope }) => principal.may('admin', scope))
        .map(shownInvitation),
    })),
    serve(declared.invite, async ({ principal, body, note }) => {
      const { scope, role, email, days } = body
      mustAdminister(principal, scope)
      mustGive({ actor: principal, catalog: await directory.roleCatalog() }, role, scope)
      const { userId, keyId } = principal
      const invitedBy = keyId === sessionKeyId(userId) ? userId : `${BY_KEY}${keyId}`
      const made = await invitations.create({ scope, role, email, invitedBy }, days)
      note?.({ target: { invitation_id: made.invitation.id } })
      // A fragment is not sent to servers, so no log on the way has it.
      const path = `/invitation#${made.token}`
      const answer = { invitation: shownInvitation(made.invitation), token: made.token, path }
      return new Reply(200, 'application/json', JSON.stringify(answer), NOT_KEPT)
    }),
    serve(declared.revokeInvitation, async ({ principal, params, note }) => {
      const found = await invitations.find(params.invitation_id)
      if (found === undefined || !principal.may('admin', found.scope))
        throw errors.notFound(`The invitation ${params.invitation_id}`)
      note?.({ target: { scope: found.scope, role: found.role } })
      await invitations.revoke(found.id)
      return {}
    }),
  ]
  if (sessions === undefined) return routes
  /** The user who is signed in, if a session is one's. */
  const signedIn = async (headers: ReadonlyMap<string, string>): Promise<string | undefined> => {
    const sent = presentedSessions(headers)
    if (sent.length === 0) return undefined
    try {
      const { principal } = await sessions.firstLive(usableSessions('POST', sent, headers))
      return principal.isUser ? principal.userId : undefined
    } catch (error) {
      if (error instanceof HeddleError && error.status === 401) return undefined
      throw error
    }
  }
  const accept = serve(declared.acceptInvitation, async ({ body, note, ...caller }) => {
    const { headers } = caller
    if (!isSameOrigin(headers)) throw errors.badOrigin()
    const known = await signedIn(headers)
    const { user, invitation } = await invitations.accept(body.token, known, body)
    const { userId, username } = user
    const { id, scope, role } = invitation
    note?.({ target: { invitation_id: id, scope, role } })
    if (known !== undefined) {
      note?.({ principal: await directory.people.principalOf(userId) })
      return { user_id: userId, username, csrf_token: null }
    }
    const { session, principal } = await sessions.openUser(userId, originOfSession(caller))
    note?.({ principal })
    const answer = JSON.stringify({ user_id: userId, username, csrf_token: csrfToken(session) })
    return new Reply(200, 'application/json', answer, {
      ...NOT_KEPT,
      'set-cookie': sessionCookie(session, SESSION_MS / 1000, headers),
    })
  })
  return [...routes, accept]
}

function shownInvitation({ id, email, scope, role, invitedBy, createdAt, expiresAt }: Invitation) {
  return {
    ...{ invitation_id: id, email, scope, role, invited_by: invitedBy },
    ...{ created_at: createdAt, expires_at: expiresAt },
  }
}
