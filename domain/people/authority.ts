/** What a caller may do to others: nobody gives what it doesn't have, or changes somebody who has more. Pure. */
import { errors } from '../../platform/errors/catalog.js'
import type { Grant, Principal } from '../../platform/http/principal.js'
import type { Person } from './people.js'
import { OWNER, type RoleCatalog } from './roles.js'

/** A caller with the roles that there are. */
export interface Authority {
  /** within the area of the route that it asked */
  actor: Principal
  catalog: RoleCatalog
}

/**
 * Throws `UNHELD_RIGHT` (403) unless the caller may give the role over `scope`, `NOT_FOUND` if there is no such role. A
 * key for some models gives none: whoever has a role may use all models.
 */
export function mustGive({ actor, catalog }: Authority, role: string, scope: string): void {
  if (catalog.permissionsOf(role, scope) === undefined) throw errors.notFound(`The role ${role}`)
  mustHold(actor, catalog.grantsOf(role, scope))
  if (actor.attributes.limits?.models !== undefined)
    throw errors.unheldRight('models beyond those of this key')
  if (role === OWNER && !actor.owns(scope)) throw errors.unheldRight(`${scope}:owner`)
}

/** Throws `UNHELD_RIGHT` (403) unless the caller has all of it. */
export function mustHold(actor: Principal, grants: readonly Grant[]): void {
  const lacking = grants.find((grant) => !actor.covers(grant))
  if (lacking === undefined) return
  const { scope, area, right } = lacking
  throw errors.unheldRight(`${[scope, area, right].filter((part) => part !== undefined).join(':')}`)
}

/**
 * Throws `STRONGER_MEMBER` (403) unless the caller has all that these roles over `scope` give.
 * @param who is named in the error
 */
export function mustOutrank(
  { actor, catalog }: Authority,
  roles: readonly string[],
  scope: string,
  who: string,
): void {
  const isWeaker = roles.every(
    (role) =>
      catalog.grantsOf(role, scope).every((grant) => actor.covers(grant)) &&
      (role !== OWNER || actor.owns(scope)),
  )
  if (!isWeaker) throw errors.strongerMember(who)
}

/** Whether the caller looks after the account of this user: it has all that the user has, and administers it. */
function looksAfter(actor: Principal, { user, principal }: Person): boolean {
  const { owned = [] } = principal.attributes
  const hasAll =
    principal.grants.every((grant) => actor.covers(grant)) && owned.every((scope) => actor.owns(scope))
  if (!hasAll) return false
  if (user.kind === 'service') return actor.may('admin', user.scope)
  return principal.grants.length === 0 ? actor.may('admin', '*') : actor.mayAnywhere('admin')
}

/** Throws `STRONGER_MEMBER` (403) unless {@link looksAfter}. */
export function mustLookAfter(actor: Principal, person: Person): void {
  if (!looksAfter(actor, person)) throw errors.strongerMember(person.user.username)
}
