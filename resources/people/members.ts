/** The routes about members, teams and roles, bound. */
import { declaredRoutes } from '../../contract/declared.js'
import * as declared from '../../contract/people.js'
import { checkScope, isScope, mustAdminister } from '../../domain/auth/grants.js'
import { deleteRole, saveRole } from '../../domain/people/custom-roles.js'
import type { Directory } from '../../domain/people/directory.js'
import { findMembers } from '../../domain/people/member-search.js'
import { EVERYWHERE, parsePermission } from '../../domain/people/roles.js'
import type { FullTeam, Teams } from '../../domain/people/teams.js'
import { teamSubject, userSubject } from '../../domain/people/user.js'
import { errors } from '../../platform/errors/catalog.js'
import { isWithin, type Principal } from '../../platform/http/principal.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { shownRoles, shownTeam } from './shown.js'

export function memberRoutes(directory: Directory): Bound[] {
  const { store } = directory
  return [
    serve(
      declared.listMembers,
      async ({ principal, query: { scope, query: text = '', after = '', limit } }) => {
        checkScope(scope)
        principal.must('read', scope)
        const scopes = [...new Set(['*', scope.split('/', 1)[0]!, scope])]
        const { rows, next } = await findMembers(store, { scopes, text, after, limit })
        const idIn = (subject: string, prefix: string) =>
          subject.startsWith(prefix) ? subject.slice(prefix.length) : null
        const members = rows.map(({ subject, name, roles, source, scope: of }) => ({
          ...{ scope: of, name, roles, source },
          user_id: idIn(subject, userSubject('')),
          team_id: idIn(subject, teamSubject('')),
        }))
        return { members, next }
      },
    ),
    serve(declared.setMember, async ({ principal, body: { role, scope, ...who } }) => {
      mustAdminister(principal, scope)
      await directory.setRole({ subject: await subjectOf(directory, who, scope), scope }, role, principal)
      return {}
    }),
    serve(declared.removeMember, async ({ principal, body: { scope, ...who } }) => {
      mustAdminister(principal, scope)
      await directory.setRole(
        { subject: await subjectOf(directory, who, scope), scope },
        undefined,
        principal,
      )
      return {}
    }),
  ]
}

export function teamRoutes(teams: Teams): Bound[] {
  /** Of an entity that the caller administers. @throws `NOT_FOUND` (404) of others */
  const own = async (principal: Principal, teamId: string): Promise<FullTeam> => {
    const team = await teams.get(teamId)
    if (!principal.may('admin', team.entity)) throw errors.notFound(`The team ${teamId}`)
    return team
  }
  const byHand = async (principal: Principal, teamId: string): Promise<FullTeam> => {
    const team = await own(principal, teamId)
    if (team.source === '') return team
    throw errors.conflict(`The team ${team.name} comes from ${team.source}; change it there.`)
  }
  return [
    serve(declared.listTeams, async ({ principal }) => ({
      teams: (await teams.list()).filter(({ entity }) => principal.may('admin', entity)).map(shownTeam),
    })),
    serve(declared.createTeam, async ({ principal, body: { entity, name } }) => {
      if (!isScope(entity) || entity.includes('/')) throw errors.badName(`"${entity}" is not an entity.`)
      principal.must('admin', entity)
      return shownTeam(await teams.create({ entity, name, source: '', externalId: '' }))
    }),
    serve(declared.renameTeam, async ({ principal, params, body }) => {
      await byHand(principal, params.team_id)
      return shownTeam(await teams.rename(params.team_id, { name: body.name }))
    }),
    serve(declared.deleteTeam, async ({ principal, params, note }) => {
      const { name } = await byHand(principal, params.team_id)
      note?.({ target: { name } })
      await teams.delete(params.team_id, principal)
      return {}
    }),
    serve(declared.addToTeam, async ({ principal, params }) => {
      await byHand(principal, params.team_id)
      await teams.setMembers(params.team_id, { add: [params.user_id] }, principal)
      return {}
    }),
    serve(declared.removeFromTeam, async ({ principal, params }) => {
      await byHand(principal, params.team_id)
      await teams.setMembers(params.team_id, { remove: [params.user_id] }, principal)
      return {}
    }),
  ]
}

export function roleRoutes(directory: Directory): Bound[] {
  let known: Promise<string[]> | undefined
  const areas = () => {
    known ??= areasOfRoutes()
    return known
  }
  return [
    serve(declared.listRoles, async ({ principal }) => {
      const { custom } = await directory.roleCatalog()
      const seen = custom.filter(({ entity }) => entity === '*' || mayReadIn(principal, entity))
      return { roles: shownRoles(seen), areas: await areas() }
    }),
    serve(declared.saveRole, async ({ principal, params, body }) => {
      const { entity, name } = params
      if (!isScope(entity) || entity.includes('/')) throw errors.badName(`"${entity}" is not an entity.`)
      principal.must('admin', entity)
      const known = await areas()
      const permissions = body.permissions.map((text) => {
        const permission = parsePermission(text)
        if (permission === undefined || ![EVERYWHERE, ...known].includes(permission.area))
          throw errors.badRequest(
            `"${text}" is no permission; write area:right, with an area that GET /roles lists, and read, write or admin.`,
          )
        return permission
      })
      const { title, version } = body
      return { version: await saveRole(directory, { entity, name, title, permissions, version }, principal) }
    }),
    serve(declared.deleteRole, async ({ principal, params }) => {
      principal.must('admin', params.entity)
      await deleteRole(directory, params, principal)
      return {}
    }),
  ]
}

/** Whoever may read something of an entity may know its roles. */
const mayReadIn = ({ whole }: Principal, entity: string): boolean =>
  whole.grants.some(({ scope }) => isWithin(scope, entity) || isWithin(entity, scope))

/** The areas that rights may be for: the tags of the routes that need some. */
async function areasOfRoutes(): Promise<string[]> {
  const routes = [...(await declaredRoutes()).values()]
  return [...new Set(routes.filter(({ access }) => access !== 'public').map(({ tag }) => tag))].sort()
}

/** @throws `NOT_FOUND` (404), and `BAD_REQUEST` (400) unless it is one, and a team of the scope's entity */
async function subjectOf(
  directory: Directory,
  { user_id, team_id }: { user_id: string | null; team_id: string | null },
  scope: string,
): Promise<string> {
  if ((user_id === null) === (team_id === null)) throw errors.badRequest('Name a user or a team.')
  if (user_id !== null) return userSubject((await directory.userWithId(user_id)).userId)
  const entity = await directory.entityOfTeam(team_id!)
  if (!isWithin(scope, entity))
    throw errors.badRequest(`The team is one of ${entity}, and gets no role outside of it.`)
  return teamSubject(team_id!)
}
