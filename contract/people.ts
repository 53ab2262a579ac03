/** Declarations of the routes about users, and who may do what where: members, teams, roles and invitations. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { Grant } from './keys.js'
import { component, orNull, timeOut } from './shared.js'

const tag = 'People'
/** Everybody about themselves. */
const own = { tag, access: 'read', project: 'none' } as const
/** An administrator of a scope changes who may do what in it. */
const administered = { tag, access: 'admin', project: 'handler' } as const
const access = { category: 'access' } as const

const scope = z.string().min(1).max(300).describe('*, an entity or entity/project')
const id = z.string().min(1).max(100)
const roleName = z.string().min(1).max(64)
const entity = z.string().min(1).max(128).describe('*: all entities')
const done = component('Done', {})

const Held = component('HeldRole', {
  scope,
  roles: z.array(z.string()),
  source: z.string().describe('who gave it: oidc:PROVIDER, scim; empty: by hand'),
  team_id: z.string().nullable().describe('the team that has it; null: the user itself'),
})

const User = component('User', {
  user_id: z.string(),
  username: z.string(),
  email: z.string(),
  name: z.string(),
  kind: z.enum(['person', 'service']),
  active: z.boolean(),
  source: z.string().describe('who made it: oidc:PROVIDER, scim, invitation, email; empty: by hand'),
  scope: z.string().nullable().describe('of service accounts: who administers it looks after the account'),
  created_at: timeOut,
  last_seen: timeOut.nullable().describe('to the hour'),
  roles: z.array(Held).describe('yours: all; of others: in what you administer, and what that lies in'),
})

export const readMe = route({
  ...own,
  id: 'users_me',
  method: 'GET',
  path: '/users/me',
  summary: 'Read who asks: the user with its roles, and the rights that follow from them',
  answer: component('MeRes', {
    user: User.nullable().describe('null: a key that is none of a user'),
    username: z.string(),
    grants: z.array(Grant),
  }),
})

export const leaveScope = route({
  ...own,
  id: 'users_leave',
  audit: { ...access, names: ['body.scope'] },
  method: 'POST',
  path: '/users/me/leave',
  summary: 'Give up the roles over a scope that were given to you by hand, and your places in its teams',
  body: component('LeaveReq', { scope }),
  answer: done,
})

export const listUsers = route({
  ...administered,
  id: 'users_list',
  method: 'GET',
  path: '/users',
  summary:
    'List the users that have roles in what you administer, by name; all, if you administer everything',
  query: z.object({
    query: z.string().max(200).optional().describe('only those whose name or address has it'),
    kind: z.enum(['person', 'service']).optional(),
    after: z.string().max(200).optional().describe('the username that the page before ended with'),
    limit: z.coerce.number().int().min(1).max(1000).default(100),
  }),
  answer: component('UsersRes', { users: z.array(User), next: z.string().nullable() }),
})

export const createServiceAccount = route({
  ...administered,
  id: 'users_create',
  audit: { ...access, names: ['body.username', 'body.scope', 'body.role'] },
  method: 'POST',
  path: '/users',
  summary: 'Make a service account, which has keys and nobody signs in to, with a role over a scope',
  body: component('UserCreateReq', {
    username: z.string().min(1).max(128),
    name: z.string().max(200).default(''),
    scope: scope.describe('who administers it looks after the account'),
    role: orNull(roleName).describe('over the scope; null: none yet'),
  }),
  answer: User,
})

const ofUser = z.object({ user_id: id })

export const readUser = route({
  ...administered,
  id: 'users_read',
  method: 'GET',
  path: '/users/{user_id}',
  summary: 'Read a user that has roles in what you administer',
  params: ofUser,
  answer: User,
})

export const updateUser = route({
  ...administered,
  id: 'users_update',
  audit: { ...access, names: ['params.user_id', 'body.active'] },
  method: 'PATCH',
  path: '/users/{user_id}',
  summary: 'Deactivate a user, activate it again, or change how it is shown',
  params: ofUser,
  body: component('UserUpdateReq', {
    active: z.boolean().optional().describe('false: its sessions and keys stop within 10 seconds'),
    name: z.string().max(200).optional(),
  }),
  answer: User,
})

export const handOver = route({
  ...administered,
  id: 'users_hand_over',
  audit: { ...access, names: ['params.user_id', 'body.to', 'body.deactivate'] },
  method: 'POST',
  path: '/users/{user_id}/hand-over',
  summary: 'Give what a user has to another: its roles given by hand, and its keys but for the personal ones',
  params: ofUser,
  body: component('HandOverReq', {
    to: id.describe('the user who gets it'),
    deactivate: z.boolean().default(false).describe('deactivate the first one afterwards'),
  }),
  answer: component('HandOverRes', {
    scopes: z.array(z.string()).describe('where the other one has got roles'),
    key_ids: z.array(z.string()),
  }),
})

const Member = component('Member', {
  scope,
  user_id: z.string().nullable(),
  team_id: z.string().nullable(),
  name: z.string().describe('of the user, or of the team'),
  roles: z.array(z.string()),
  source: z.string(),
})

export const listMembers = route({
  ...own,
  project: 'handler',
  id: 'members_list',
  method: 'GET',
  path: '/members',
  summary: 'List who has roles over a scope, and over what it lies in, by scope and name',
  query: z.object({
    scope,
    query: z.string().max(200).optional().describe('only those whose name has it'),
    after: z.string().max(2000).optional().describe('`next` of the page before'),
    limit: z.coerce.number().int().min(1).max(1000).default(100),
  }),
  answer: component('MembersRes', {
    members: z.array(Member),
    next: z.string().nullable().describe('where the next page begins; null: this is the last one'),
  }),
})

const seat = {
  scope,
  user_id: orNull(id),
  team_id: orNull(id),
}

export const setMember = route({
  ...administered,
  id: 'members_set',
  audit: { ...access, names: ['body.scope', 'body.user_id', 'body.team_id', 'body.role'] },
  method: 'PUT',
  path: '/members',
  summary: 'Give a user or a team a role over a scope, instead of the one that was given by hand before',
  body: component('MemberSetReq', { ...seat, role: roleName }),
  answer: done,
})

export const removeMember = route({
  ...administered,
  id: 'members_remove',
  audit: { ...access, names: ['body.scope', 'body.user_id', 'body.team_id'] },
  method: 'POST',
  path: '/members/remove',
  summary: 'Take away the role over a scope that was given by hand',
  body: component('MemberRemoveReq', seat),
  answer: done,
})

const Team = component('Team', {
  team_id: z.string(),
  entity,
  name: z.string(),
  source: z.string().describe('who made it and chooses its members: scim; empty: by hand'),
  created_at: timeOut,
  members: z.array(z.object({ user_id: z.string(), username: z.string() })),
})
const ofTeam = z.object({ team_id: id })
const teamName = z.string().trim().min(1).max(200)

export const listTeams = route({
  ...administered,
  id: 'teams_list',
  method: 'GET',
  path: '/teams',
  summary: 'List the teams of what you administer, by name',
  answer: component('TeamsRes', { teams: z.array(Team) }),
})

export const createTeam = route({
  ...administered,
  id: 'teams_create',
  audit: { ...access, names: ['body.entity', 'body.name'] },
  method: 'POST',
  path: '/teams',
  summary: 'Make a team, which may get roles in its entity',
  body: component('TeamCreateReq', { entity, name: teamName }),
  answer: Team,
})

export const renameTeam = route({
  ...administered,
  id: 'teams_rename',
  audit: { ...access, names: ['params.team_id', 'body.name'] },
  method: 'PATCH',
  path: '/teams/{team_id}',
  summary: 'Rename a team',
  params: ofTeam,
  body: component('TeamRenameReq', { name: teamName }),
  answer: Team,
})

export const deleteTeam = route({
  ...administered,
  id: 'teams_delete',
  audit: { ...access, names: ['params.team_id'] },
  method: 'DELETE',
  path: '/teams/{team_id}',
  summary: 'Delete a team with its roles',
  params: ofTeam,
  answer: done,
})

const inTeam = z.object({ team_id: id, user_id: id })

export const addToTeam = route({
  ...administered,
  id: 'teams_add',
  audit: { ...access, names: ['params.team_id', 'params.user_id'] },
  method: 'PUT',
  path: '/teams/{team_id}/members/{user_id}',
  summary: 'Put a user into a team',
  params: inTeam,
  answer: done,
})

export const removeFromTeam = route({
  ...administered,
  id: 'teams_remove',
  audit: { ...access, names: ['params.team_id', 'params.user_id'] },
  method: 'DELETE',
  path: '/teams/{team_id}/members/{user_id}',
  summary: 'Take a user out of a team',
  params: inTeam,
  answer: done,
})

const permissions = z
  .array(z.string().max(150))
  .min(1)
  .max(200)
  .describe('area:right; an area is the tag of routes, or * for all; right: read, write or admin')

export const listRoles = route({
  ...own,
  project: 'handler',
  id: 'roles_list',
  method: 'GET',
  path: '/roles',
  summary:
    'List the roles that may be given, built in or made by an entity, and the areas that rights are for',
  answer: component('RolesRes', {
    roles: z.array(
      component('Role', {
        name: z.string(),
        title: z.string(),
        entity: z.string().nullable().describe('*: of all entities; null: built in'),
        permissions,
        version: z.int().nullable(),
      }),
    ),
    areas: z.array(z.string()),
  }),
})

const ofRole = z.object({ entity, name: roleName.regex(/^[a-z][a-z0-9-]*$/) })

export const saveRole = route({
  ...administered,
  id: 'roles_save',
  audit: { ...access, names: ['params.entity', 'params.name', 'body.permissions'] },
  method: 'PUT',
  path: '/roles/{entity}/{name}',
  summary: 'Make a role of an entity, or change it; who has it has what it permits within 10 seconds',
  params: ofRole,
  body: component('RoleSaveReq', {
    title: z.string().max(200).default(''),
    permissions,
    version: z.int().min(0).describe('the one that you change; 0: there is none yet'),
  }),
  answer: component('RoleSaveRes', { version: z.int() }),
})

export const deleteRole = route({
  ...administered,
  id: 'roles_delete',
  audit: { ...access, names: ['params.entity', 'params.name'] },
  method: 'DELETE',
  path: '/roles/{entity}/{name}',
  summary: 'Delete a role; who has it has nothing by it any more',
  params: ofRole,
  answer: done,
})

const Invitation = component('Invitation', {
  invitation_id: z.string(),
  email: z.string(),
  scope,
  role: z.string(),
  invited_by: z.string(),
  created_at: timeOut,
  expires_at: timeOut,
})

export const listInvitations = route({
  ...administered,
  id: 'invitations_list',
  method: 'GET',
  path: '/invitations',
  summary: 'List the open invitations to what you administer, the newest first',
  answer: component('InvitationsRes', { invitations: z.array(Invitation) }),
})

export const invite = route({
  ...administered,
  id: 'invitations_create',
  audit: { ...access, names: ['body.scope', 'body.role'] },
  method: 'POST',
  path: '/invitations',
  summary: 'Invite somebody by a link to have a role over a scope; the link is shown once',
  body: component('InviteReq', {
    scope,
    role: roleName,
    email: z.string().max(128).default('').describe('empty: for whoever has the link'),
    days: z.int().min(1).max(90).default(7).describe('how long the link works'),
  }),
  answer: component('InviteRes', {
    invitation: Invitation,
    token: z.string().describe('not stored, and not shown again'),
    path: z.string().describe('of the link, at the address of the pages'),
  }),
})

export const revokeInvitation = route({
  ...administered,
  id: 'invitations_revoke',
  audit: { ...access, names: ['params.invitation_id'] },
  method: 'DELETE',
  path: '/invitations/{invitation_id}',
  summary: 'Revoke an invitation',
  params: z.object({ invitation_id: id }),
  answer: done,
})

export const acceptInvitation = route({
  tag,
  id: 'invitations_accept',
  audit: { ...access, once: true },
  method: 'POST',
  path: '/invitations/accept',
  summary: 'Accept an invitation: as who is signed in, or as a new user, who is signed in by that',
  access: 'public',
  project: 'none',
  unlimited: 'whoever has no invitation is refused by one look-up',
  takesKey: true,
  body: component('AcceptReq', {
    token: z.string().max(512),
    username: z
      .string()
      .max(128)
      .default('')
      .describe('of a new user, where the invitation names no address'),
    name: z.string().max(200).default('').describe('of a new user, as it is shown'),
  }),
  answer: component('AcceptRes', {
    user_id: z.string(),
    username: z.string(),
    csrf_token: z.string().nullable().describe('of the new session; null: you were signed in'),
  }),
})
