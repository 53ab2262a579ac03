/** Users, teams and roles as answers have them. */
import type { HeldRow } from '../../domain/people/membership-table.js'
import type { Person } from '../../domain/people/people.js'
import {
  BUILT_IN_ROLES,
  type CustomRole,
  type Permission,
  permissionText,
} from '../../domain/people/roles.js'
import type { FullTeam } from '../../domain/people/teams.js'

/**
 * @param seen when users were last seen, by their ids
 * @param isShown whether the roles over a scope are: elsewhere they are nobody's affair here
 */
export function shownUser(
  { user, held }: Person,
  seen: ReadonlyMap<string, string>,
  isShown: (scope: string) => boolean,
) {
  return {
    ...{ user_id: user.userId, username: user.username, email: user.email, name: user.name, kind: user.kind },
    ...{ active: user.active, source: user.source, scope: user.scope || null, created_at: user.createdAt },
    last_seen: seen.get(user.userId) ?? null,
    roles: held.filter(({ scope }) => isShown(scope)).map(shownRole),
  }
}

const shownRole = ({ scope, roles, source, team }: HeldRow) => ({
  ...{ scope, roles, source },
  team_id: team || null,
})

export function shownTeam({ teamId, entity, name, source, createdAt, members }: FullTeam) {
  return {
    ...{ team_id: teamId, entity, name, source, created_at: createdAt },
    members: members.map(({ userId, username }) => ({ user_id: userId, username })),
  }
}

export function shownRoles(custom: readonly CustomRole[]) {
  const builtIn = Object.entries<readonly Permission[]>(BUILT_IN_ROLES)
  return [
    ...builtIn.map(([name, permissions]) => ({
      ...{ name, title: '', entity: null, version: null },
      permissions: permissions.map(permissionText),
    })),
    ...custom.map(({ name, title, entity, version, permissions }) => ({
      ...{ name, title, entity, version },
      permissions: permissions.map(permissionText),
    })),
  ]
}
