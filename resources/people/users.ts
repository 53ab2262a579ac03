/** The routes about users, bound. */
import * as declared from '../../contract/people.js'
import { checkScope, mustAdminister } from '../../domain/auth/grants.js'
import { mustGive } from '../../domain/people/authority.js'
import type { Directory } from '../../domain/people/directory.js'
import { putMemberships } from '../../domain/people/membership-table.js'
import type { Person } from '../../domain/people/people.js'
import type { Teams } from '../../domain/people/teams.js'
import { userSubject } from '../../domain/people/user.js'
import { findUsers } from '../../domain/people/user-search.js'
import { seenTimes } from '../../domain/people/user-table.js'
import { errors } from '../../platform/errors/catalog.js'
import { isWithin, type Principal } from '../../platform/http/principal.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { shownUser } from './shown.js'

export function userRoutes(directory: Directory, teams: Teams): Bound[] {
  const { store, people } = directory
  const shown = async (persons: readonly Person[], isShown: (scope: string) => boolean) => {
    const seen = await seenTimes(
      store,
      persons.map(({ user }) => user.userId),
    )
    return persons.map((person) => shownUser(person, seen, isShown))
  }
  const visible = async (actor: Principal, userId: string): Promise<Person> => {
    const [found] = await findUsers(store, actor, { text: '', after: '', limit: 1, userId })
    if (found === undefined) throw errors.notFound(`The user ${userId}`)
    return directory.person(userId)
  }
  const one = async (person: Person, isShown: (scope: string) => boolean) =>
    (await shown([person], isShown))[0]!
  return [
    serve(declared.readMe, async ({ principal }) => {
      const { username, userId, isUser, whole } = principal
      const person = isUser ? await directory.person(userId) : undefined
      return { user: person ? await one(person, () => true) : null, username, grants: whole.grants }
    }),
    serve(declared.leaveScope, async ({ principal, body }) => {
      const { userId } = mustBeUser(principal)
      checkScope(body.scope)
      await directory.leave(userId, body.scope)
      const mine = (await teams.list()).filter(
        ({ entity, source, members }) =>
          source === '' && isWithin(entity, body.scope) && members.some((member) => member.userId === userId),
      )
      for (const { teamId } of mine) await teams.setMembers(teamId, { remove: [userId] })
      return {}
    }),
    serve(declared.listUsers, async ({ principal, query }) => {
      const { query: text = '', kind, after = '', limit } = query
      const ids = await findUsers(store, principal, { text, kind, after, limit: limit + 1 })
      const persons = await people.peopleWith(ids.slice(0, limit))
      const next = ids.length > limit ? persons.at(-1)!.user.username : null
      return { users: await shown(persons, concernOf(principal)), next }
    }),
    serve(declared.createServiceAccount, async ({ principal, body }) => {
      const { username, name, scope, role } = body
      mustAdminister(principal, scope)
      const user = await directory.change(async (ver) => {
        if (role !== null) mustGive({ actor: principal, catalog: await directory.roleCatalog() }, role, scope)
        const made = { username, name, email: '', source: '', kind: 'service' as const, scope }
        const user = await directory.newUser(made, ver)
        const row = {
          subject: userSubject(user.userId),
          scope,
          source: '',
          roles: role === null ? [] : [role],
        }
        await putMemberships(store, [row], ver)
        return user
      })
      return one(await directory.person(user.userId), concernOf(principal))
    }),
    serve(declared.readUser, async ({ principal, params }) =>
      one(await visible(principal, params.user_id), concernOf(principal)),
    ),
    serve(declared.updateUser, async ({ principal, params, body, note }) => {
      const { user } = await visible(principal, params.user_id)
      note?.({ target: { username: user.username } })
      const { active, name } = body
      const change = { ...(active !== undefined && { active }), ...(name !== undefined && { name }) }
      await directory.updateUser(user.userId, change, principal)
      return one(await directory.person(user.userId), concernOf(principal))
    }),
    serve(declared.handOver, async ({ principal, params, body, note }) => {
      const { user } = await visible(principal, params.user_id)
      await visible(principal, body.to)
      const options = { actor: principal, deactivate: body.deactivate }
      const { scopes, keyIds } = await directory.handOver(user.userId, body.to, options)
      note?.({ target: { username: user.username, scopes, key_ids: keyIds } })
      return { scopes, key_ids: keyIds }
    }),
  ]
}

/** The scopes that an administrator sees roles over: what it administers, and what that lies in. */
const concernOf =
  ({ grants }: Principal) =>
  (scope: string): boolean =>
    grants.some((own) => own.right === 'admin' && (isWithin(scope, own.scope) || isWithin(own.scope, scope)))

/** Throws `NO_USER` (403) of a key that is none of a user. */
function mustBeUser(principal: Principal): Principal {
  if (!principal.isUser) throw errors.noUser()
  return principal
}
