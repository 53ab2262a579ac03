/** Users, and who may do what where: members, invitations, teams and roles, as far as who is signed in may know. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { get, post, type Schemas, send, setCsrfToken } from './client'
import { signings } from './session'

export type User = Schemas['User']
export type Member = Schemas['Member']
export type Team = Schemas['Team']
export type Role = Schemas['Role']
export type Invitation = Schemas['Invitation']

const part = encodeURIComponent

/**
 * Accepts an invitation as who is signed in, or else as a new user, who is signed in by that.
 * @param asked.username of a new user, where the invitation names no address
 */
export async function acceptInvitation(asked: Schemas['AcceptReq']): Promise<void> {
  const { csrf_token: token } = await post('/invitations/accept', asked)
  if (token === null) return
  setCsrfToken(token)
  signings.postMessage('in')
}

export const invitationsQuery = queryOptions({
  queryKey: ['people', 'invitations'],
  queryFn: async ({ signal }) => (await get('/invitations', signal)).invitations,
})

/** @returns the path of the link, too, which is not shown again */
export const invite = (asked: Schemas['InviteReq']) => post('/invitations', asked)

export const revokeInvitation = (id: string) => send('DELETE', `/invitations/${part(id)}`)

/** Who has roles over a scope, and over what it lies in, page by page. @param text what their names have in them */
export const membersQuery = (scope: string, text: string) =>
  infiniteQueryOptions({
    queryKey: ['people', 'members', scope, text],
    retry: false,
    initialPageParam: '',
    queryFn: ({ signal, pageParam: after }) =>
      get(
        '/members',
        signal,
        `?${new URLSearchParams({ scope, query: text, ...(after !== '' && { after }) })}`,
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** A user or a team over a scope. */
export type Seat = Pick<Member, 'scope' | 'user_id' | 'team_id'>

/** Gives a role instead of the one that was given by hand before. @param role null: takes it away */
export const setRole = ({ scope, user_id, team_id }: Seat, role: string | null) =>
  role === null
    ? send('POST', '/members/remove', { scope, user_id, team_id })
    : send('PUT', '/members', { scope, user_id, team_id, role })

/** Users by their names, page by page. */
export const usersQuery = (text: string) =>
  infiniteQueryOptions({
    queryKey: ['people', 'users', text],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) => usersAfter(text, pageParam, signal),
    getNextPageParam: ({ next }) => next ?? undefined,
  })

const usersAfter = (text: string, after: string, signal?: AbortSignal) =>
  get('/users', signal, `?${new URLSearchParams({ query: text, ...(after !== '' && { after }) })}`)

/** The user of this name. @throws if who is signed in knows none */
export async function userNamed(username: string): Promise<User> {
  const name = username.trim().toLowerCase()
  const { users } = await usersAfter(name, '')
  const found = users.find((one) => one.username === name)
  if (found === undefined)
    throw new Error(`You administer no user called ${username.trim()}; invite people by a link.`)
  return found
}

export const createServiceAccount = (asked: Schemas['UserCreateReq']) => post('/users', asked)

export const setActive = (id: string, active: boolean) => send('PATCH', `/users/${part(id)}`, { active })

/** Gives what a user has to another: roles given by hand, and keys but for the personal ones. */
export const handOver = async (from: User, to: User, deactivate: boolean): Promise<Schemas['HandOverRes']> =>
  (await send('POST', `/users/${part(from.user_id)}/hand-over`, { to: to.user_id, deactivate })).json()

/** Gives up what who is signed in has over a scope. */
export const leaveScope = (scope: string) => post('/users/me/leave', { scope })

export const teamsQuery = queryOptions({
  queryKey: ['people', 'teams'],
  queryFn: async ({ signal }) => (await get('/teams', signal)).teams,
})

export const createTeam = (asked: Schemas['TeamCreateReq']) => post('/teams', asked)

export const renameTeam = (id: string, name: string) => send('PATCH', `/teams/${part(id)}`, { name })

export const deleteTeam = (id: string) => send('DELETE', `/teams/${part(id)}`)

export const putIntoTeam = (team: string, user: string) =>
  send('PUT', `/teams/${part(team)}/members/${part(user)}`)

export const takeOutOfTeam = (team: string, user: string) =>
  send('DELETE', `/teams/${part(team)}/members/${part(user)}`)

/** The roles that may be given, and the areas that rights are for. */
export const rolesQuery = queryOptions({
  queryKey: ['people', 'roles'],
  queryFn: ({ signal }) => get('/roles', signal),
})

const rolePath = (entity: string, name: string) => `/roles/${part(entity)}/${part(name)}`

/** @param asked.version the one that is changed; 0: there is none yet */
export const saveRole = (entity: string, name: string, asked: Schemas['RoleSaveReq']) =>
  send('PUT', rolePath(entity, name), asked)

export const deleteRole = (entity: string, name: string) => send('DELETE', rolePath(entity, name))
