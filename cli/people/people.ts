/** Users, members, teams, roles and invitations of a server, by its routes. What changes something returns what to say. */
import type { z } from 'zod'
import * as contract from '../../contract/people.js'
import type { RouteSpec } from '../../platform/http/route.js'
import { CommandError } from '../command.js'
import { type AnswerTo, answerOf } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { list, type Shown, timeText } from '../shown.js'

type User = AnswerTo<typeof contract.listUsers>['users'][number]

/** All pages of a list. */
async function pagesOf<Page extends { next: string | null }>(
  to: Target,
  route: RouteSpec<z.ZodType, z.ZodType, z.ZodType, z.ZodType<Page>>,
  asked: Readonly<Record<string, string>>,
): Promise<Page[]> {
  const pages: Page[] = []
  for (let after: string | null = ''; after !== null; after = pages.at(-1)!.next)
    pages.push(await answerOf(to, route, undefined, { query: { ...asked, after, limit: '1000' } }))
  return pages
}

/** All users whose name or address has `query`; all without it. */
async function usersLike(to: Target, query = ''): Promise<User[]> {
  return (await pagesOf(to, contract.listUsers, { query })).flatMap(({ users }) => users)
}

/** @throws CommandError if nobody is called so */
async function idOf(to: Target, name: string): Promise<string> {
  const found = (await usersLike(to, name)).find(({ username }) => username === name.toLowerCase())
  if (found !== undefined) return found.user_id
  throw new CommandError(`there is no user ${name}; \`heddle users list\` shows them`)
}

/** The users, with their roles. */
export async function userList(to: Target, { query }: { query?: string }): Promise<Shown> {
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

/** Makes a service account. */
export async function createService(
  to: Target,
  username: string,
  scope: string,
  { role }: { role?: string },
): Promise<string> {
  await answerOf(to, contract.createServiceAccount, { username, scope, role })
  return `made ${username}; make its keys with: heddle keys create --user ${username} --grant ${scope}:write`
}

const switching = (active: boolean) => async (to: Target, name: string) => {
  await answerOf(to, contract.updateUser, { active }, { params: { user_id: await idOf(to, name) } })
  return active ? 'activated' : 'deactivated'
}
export const activateUser = switching(true)
export const deactivateUser = switching(false)

/** Gives what a user has to another. */
export async function handOver(
  to: Target,
  name: string,
  other: string,
  { deactivate }: { deactivate?: boolean },
): Promise<string> {
  const [user_id, next] = [await idOf(to, name), await idOf(to, other)]
  const body = { to: next, deactivate }
  const { scopes, key_ids } = await answerOf(to, contract.handOver, body, { params: { user_id } })
  return `gave ${other} roles over ${scopes.join(', ') || 'nothing'}, and keys: ${key_ids.length}`
}

/** Who has roles over a scope. */
export async function memberList(
  to: Target,
  scope: string,
  { query = '' }: { query?: string },
): Promise<Shown> {
  const pages = await pagesOf(to, contract.listMembers, { scope, query })
  return list(
    pages.flatMap(({ members }) => members),
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
  return { scope, user_id: await idOf(to, who) }
}

/** Gives a role. */
export async function setMember(
  to: Target,
  scope: string,
  who: string,
  { role }: { role: string },
): Promise<string> {
  await answerOf(to, contract.setMember, { ...(await seatOf(to, scope, who)), role })
  return `${who} is ${role} over ${scope}`
}

/** Takes a role away. */
export async function removeMember(to: Target, scope: string, who: string): Promise<string> {
  await answerOf(to, contract.removeMember, await seatOf(to, scope, who))
  return 'removed'
}

/** Gives up one's own roles over a scope. */
export async function leave(to: Target, scope: string): Promise<string> {
  await answerOf(to, contract.leaveScope, { scope })
  return `left ${scope}`
}

/** The teams. */
export async function teamList(to: Target): Promise<Shown> {
  const { teams } = await answerOf(to, contract.listTeams)
  return list(
    teams,
    ['ID', 'ENTITY', 'NAME', 'MEMBERS'],
    ({ team_id, entity, name, members }) => [
      ...[team_id, entity, name, members.map(({ username }) => username).join(' ') || '-'],
    ],
    'no teams',
  )
}

/** Makes a team. */
export async function createTeam(to: Target, entity: string, name: string): Promise<string> {
  const { team_id } = await answerOf(to, contract.createTeam, { entity, name })
  return `made ${team_id}; give it a role with: heddle members set ${entity} team:${team_id} --role member`
}

/** Renames a team. */
export async function renameTeam(to: Target, team_id: string, name: string): Promise<string> {
  await answerOf(to, contract.renameTeam, { name }, { params: { team_id } })
  return 'renamed'
}

/** Puts a user into a team. */
export async function addToTeam(to: Target, team_id: string, name: string): Promise<string> {
  const params = { team_id, user_id: await idOf(to, name) }
  await answerOf(to, contract.addToTeam, undefined, { params })
  return 'added'
}

/** Takes a user out of a team. */
export async function removeFromTeam(to: Target, team_id: string, name: string): Promise<string> {
  const params = { team_id, user_id: await idOf(to, name) }
  await answerOf(to, contract.removeFromTeam, undefined, { params })
  return 'removed'
}

/** Deletes a team. */
export async function deleteTeam(to: Target, team_id: string): Promise<string> {
  await answerOf(to, contract.deleteTeam, undefined, { params: { team_id } })
  return 'deleted'
}

/** The roles. */
export async function roleList(to: Target): Promise<Shown> {
  const { roles } = await answerOf(to, contract.listRoles)
  return list(roles, ['ROLE', 'OF', 'PERMITS', 'TITLE'], ({ name, entity, permissions, title }) => [
    ...[name, entity ?? 'built in', permissions.join(', '), title || '-'],
  ])
}

/** The areas that rights may be for. */
export async function areaList(to: Target): Promise<Shown> {
  return list((await answerOf(to, contract.listRoles)).areas, ['AREA'], (area) => [area])
}

/** Makes or changes a role. */
export async function saveRole(
  to: Target,
  entity: string,
  name: string,
  { permit, title }: { permit: string[]; title?: string },
): Promise<string> {
  const { roles } = await answerOf(to, contract.listRoles)
  const known = roles.find((role) => role.entity === entity && role.name === name)
  const body = { permissions: permit, title: title ?? known?.title, version: known?.version ?? 0 }
  await answerOf(to, contract.saveRole, body, { params: { entity, name } })
  return known === undefined ? 'made' : 'changed'
}

/** Deletes a role. */
export async function deleteRole(to: Target, entity: string, name: string): Promise<string> {
  await answerOf(to, contract.deleteRole, undefined, { params: { entity, name } })
  return 'deleted'
}

/** Makes a link, and prints it. */
export async function invite(
  to: Target,
  scope: string,
  role: string,
  { email, days }: { email?: string; days: number },
): Promise<string> {
  const made = await answerOf(to, contract.invite, { scope, role, email, days })
  process.stdout.write(`${to.url}${made.path}\n`)
  return `works once, until ${timeText(made.invitation.expires_at)}`
}

/** The open invitations. */
export async function invitationList(to: Target): Promise<Shown> {
  const { invitations } = await answerOf(to, contract.listInvitations)
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
export async function revokeInvitation(to: Target, invitation_id: string): Promise<string> {
  await answerOf(to, contract.revokeInvitation, undefined, { params: { invitation_id } })
  return 'revoked'
}
