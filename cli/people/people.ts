/** Users, members, teams, roles and invitations of a server, by its routes. */
import { CommandError } from '../command.js'
import { ask, post, type Target } from '../http-client.js'
import { list, type Shown, timeText } from '../shown.js'

interface User {
  user_id: string
  username: string
  name: string
  kind: string
  active: boolean
  last_seen: string | null
  roles: { scope: string; roles: string[]; team_id: string | null }[]
}

const path = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}`

async function got<Answer>(to: Target, from: string): Promise<Answer> {
  return (await (await ask(to, 'GET', from)).json()) as Answer
}

/** All users whose name or address has `query`; all without it. */
async function usersLike(to: Target, query = ''): Promise<User[]> {
  const users: User[] = []
  let after: string | null = ''
  while (after !== null) {
    const asked = new URLSearchParams({ query, after, limit: '1000' })
    const page: { users: User[]; next: string | null } = await got(to, `/users?${asked}`)
    users.push(...page.users)
    after = page.next
  }
  return users
}

/** @throws CommandError if nobody is called so */
async function userNamed(to: Target, name: string): Promise<User> {
  const found = (await usersLike(to, name)).find(({ username }) => username === name.toLowerCase())
  if (found === undefined)
    throw new CommandError(`there is no user ${name}; \`heddle users list\` shows them`)
  return found
}

/** The users, with their roles. */
export async function userList(to: Target, query?: string): Promise<Shown> {
  return list(
    await usersLike(to, query),
    ['NAME', 'KIND', 'STATE', 'LAST SEEN', 'ROLES'],
    ({ username, kind, active, last_seen, roles }) => [
      username,
      kind,
      active ? 'active' : 'inactive',
      last_seen === null ? '-' : timeText(last_seen),
      roles.map((held) => `${held.scope}:${held.roles.join('+')}`).join(' ') || '-',
    ],
    'no users',
  )
}

/** Makes a service account. @returns what to say */
export async function createService(
  to: Target,
  username: string,
  scope: string,
  role?: string,
): Promise<string> {
  await post(to, '/users', { username, scope, role: role ?? null })
  return `made ${username}; make its keys with: heddle keys create --user ${username} --grant ${scope}:write`
}

/** Activates or deactivates a user. */
export async function activate(to: Target, name: string, active: boolean): Promise<void> {
  const { user_id } = await userNamed(to, name)
  await ask(to, 'PATCH', path('users', user_id), { active })
}

/** Gives what a user has to another. @returns what to say */
export async function handOver(
  to: Target,
  name: string,
  other: string,
  deactivate: boolean,
): Promise<string> {
  const [from, next] = [await userNamed(to, name), await userNamed(to, other)]
  const body = { to: next.user_id, deactivate }
  const answer = await (await post(to, path('users', from.user_id, 'hand-over'), body)).json()
  const { scopes, key_ids } = answer as { scopes: string[]; key_ids: string[] }
  return `gave ${other} roles over ${scopes.join(', ') || 'nothing'}, and keys: ${key_ids.length}`
}

interface Member {
  scope: string
  name: string
  team_id: string | null
  roles: string[]
  source: string
}

/** Who has roles over a scope. @param query what names have in them; default: any */
export async function memberList(to: Target, scope: string, query = ''): Promise<Shown> {
  const members: Member[] = []
  let after: string | null = ''
  while (after !== null) {
    const asked = new URLSearchParams({ scope, query, after, limit: '1000' })
    const page: { members: Member[]; next: string | null } = await got(to, `/members?${asked}`)
    members.push(...page.members)
    after = page.next
  }
  return list(
    members,
    ['WHO', 'SCOPE', 'ROLES', 'GIVEN BY'],
    (one) => [
      one.team_id === null ? one.name : `team ${one.name}`,
      one.scope,
      one.roles.join(' '),
      one.source || 'hand',
    ],
    'nobody',
  )
}

async function seatOf(to: Target, scope: string, who: string) {
  if (who.startsWith('team:')) return { scope, team_id: who.slice('team:'.length) }
  return { scope, user_id: (await userNamed(to, who)).user_id }
}

/** Gives a role. @returns what to say */
export async function setMember(to: Target, scope: string, who: string, role: string): Promise<string> {
  await ask(to, 'PUT', '/members', { ...(await seatOf(to, scope, who)), role })
  return `${who} is ${role} over ${scope}`
}

/** Takes a role away. @returns what to say */
export async function removeMember(to: Target, scope: string, who: string): Promise<string> {
  await post(to, '/members/remove', await seatOf(to, scope, who))
  return 'removed'
}

/** Gives up one's own roles over a scope. */
export async function leave(to: Target, scope: string): Promise<void> {
  await post(to, '/users/me/leave', { scope })
}

/** The teams. */
export async function teamList(to: Target): Promise<Shown> {
  const { teams } = await got<{
    teams: {
      team_id: string
      entity: string
      name: string
      source: string
      members: { username: string }[]
    }[]
  }>(to, '/teams')
  return list(
    teams,
    ['ID', 'ENTITY', 'NAME', 'MEMBERS'],
    ({ team_id, entity, name, members }) => [
      ...[team_id, entity, name, members.map(({ username }) => username).join(' ') || '-'],
    ],
    'no teams',
  )
}

/** Makes a team. @returns what to say */
export async function createTeam(to: Target, entity: string, name: string): Promise<string> {
  const { team_id } = (await (await post(to, '/teams', { entity, name })).json()) as { team_id: string }
  return `made ${team_id}; give it a role with: heddle members set ${entity} team:${team_id} --role member`
}

/** Renames a team. @returns what to say */
export async function renameTeam(to: Target, teamId: string, name: string): Promise<string> {
  await ask(to, 'PATCH', path('teams', teamId), { name })
  return 'renamed'
}

/** Puts a user into a team or takes it out. @returns what to say */
export async function changeTeam(
  to: Target,
  teamId: string,
  name: string,
  verb: 'add' | 'remove',
): Promise<string> {
  const { user_id } = await userNamed(to, name)
  await ask(to, verb === 'add' ? 'PUT' : 'DELETE', path('teams', teamId, 'members', user_id))
  return verb === 'add' ? 'added' : 'removed'
}

/** Deletes a team. */
export async function deleteTeam(to: Target, teamId: string): Promise<void> {
  await ask(to, 'DELETE', path('teams', teamId))
}

interface Roles {
  roles: {
    name: string
    title: string
    entity: string | null
    permissions: string[]
    version: number | null
  }[]
  areas: string[]
}

/** The roles. */
export async function roleList(to: Target): Promise<Shown> {
  const { roles } = await got<Roles>(to, '/roles')
  return list(roles, ['ROLE', 'OF', 'PERMITS', 'TITLE'], ({ name, entity, permissions, title }) => [
    ...[name, entity ?? 'built in', permissions.join(', '), title || '-'],
  ])
}

/** The areas that rights may be for. */
export async function areaList(to: Target): Promise<Shown> {
  const { areas } = await got<Roles>(to, '/roles')
  return list(areas, ['AREA'], (area) => [area])
}

/** Makes or changes a role. @returns what to say */
export async function saveRole(
  to: Target,
  entity: string,
  name: string,
  permissions: string[],
  title?: string,
): Promise<string> {
  const { roles } = await got<Roles>(to, '/roles')
  const known = roles.find((role) => role.entity === entity && role.name === name)
  const body = { permissions, title: title ?? known?.title ?? '', version: known?.version ?? 0 }
  await ask(to, 'PUT', path('roles', entity, name), body)
  return known === undefined ? 'made' : 'changed'
}

/** Deletes a role. @returns what to say */
export async function deleteRole(to: Target, entity: string, name: string): Promise<string> {
  await ask(to, 'DELETE', path('roles', entity, name))
  return 'deleted'
}

/** Makes a link. */
export async function invite(
  to: Target,
  asked: { scope: string; role: string; email?: string | undefined; days: number },
): Promise<{ link: string; until: string }> {
  const answer = await (await post(to, '/invitations', asked)).json()
  const made = answer as { path: string; invitation: { expires_at: string } }
  return { link: to.url + made.path, until: timeText(made.invitation.expires_at) }
}

/** The open invitations. */
export async function invitationList(to: Target): Promise<Shown> {
  const { invitations } = await got<{
    invitations: { invitation_id: string; email: string; scope: string; role: string; expires_at: string }[]
  }>(to, '/invitations')
  return list(
    invitations,
    ['ID', 'FOR', 'SCOPE', 'ROLE', 'UNTIL'],
    ({ invitation_id, email, scope, role, expires_at }) => [
      ...[invitation_id, email || 'whoever has the link', scope, role, timeText(expires_at)],
    ],
    'no open invitations',
  )
}

/** Revokes an invitation. */
export async function revokeInvitation(to: Target, id: string): Promise<void> {
  await ask(to, 'DELETE', path('invitations', id))
}
