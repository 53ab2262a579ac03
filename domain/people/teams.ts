/** Teams: users who get roles together. One change at a time, as of users; see directory.ts. */
import { groupBy } from '../../platform/batch/group-by.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { mustGive, mustOutrank } from './authority.js'
import type { Directory } from './directory.js'
import { membershipsOf, putMemberships } from './membership-table.js'
import { OWNER } from './roles.js'
import { teamSubject } from './user.js'

/** The source of teams and users that come by SCIM. */
export const SCIM = 'scim'

export interface Team {
  teamId: string
  /** `*`: of all entities */
  entity: string
  name: string
  /** who made it and chooses its members: `scim`; empty: by hand */
  source: string
  externalId: string
  /** ISO 8601 */
  createdAt: string
}

export interface TeamMember {
  userId: string
  username: string
}

export interface FullTeam extends Team {
  members: TeamMember[]
}

export class Teams {
  private readonly store: Store

  constructor(private readonly directory: Directory) {
    this.store = directory.store
  }

  /** All teams, or those of these entities, by name. */
  list(entities?: readonly string[]): Promise<FullTeam[]> {
    return this.teamsThat(entities === undefined ? sql`1` : sql`entity IN ${bind.strings(entities)}`)
  }

  /** @throws `NOT_FOUND` (404) */
  async get(teamId: string): Promise<FullTeam> {
    const [team] = await this.teamsThat(sql`team_id = ${bind.string(teamId)}`)
    if (team === undefined) throw errors.notFound(`The team ${teamId}`)
    return team
  }

  /** Makes a team of these users. @throws `NAME_TAKEN` (409) if its entity has one of that name, `NOT_FOUND` of users */
  create(
    asked: Pick<Team, 'entity' | 'name' | 'source' | 'externalId'>,
    members: readonly string[] = [],
  ): Promise<FullTeam> {
    return this.directory.change(async (ver) => {
      await this.mustBeFree(asked)
      for (const userId of members) await this.directory.userWithId(userId)
      const team = { ...asked, teamId: uuid7(), createdAt: new Date().toISOString() }
      await this.put(team, ver)
      const rows = members.map((user_id) => ({ user_id, team_id: team.teamId, live: 1, ver: String(ver) }))
      await this.store.insertRows('team_members', rows)
      return this.get(team.teamId)
    })
  }

  /** Renames a team. @throws `NOT_FOUND`, `NAME_TAKEN` */
  rename(teamId: string, change: Partial<Pick<Team, 'name' | 'externalId'>>): Promise<FullTeam> {
    return this.directory.change(async (ver) => {
      const team = await this.get(teamId)
      const renamed = { ...team, ...change }
      if (renamed.name !== team.name) await this.mustBeFree(renamed)
      await this.put(renamed, ver)
      return renamed
    })
  }

  /**
   * Deletes a team with its roles.
   * @param actor who must have all that the team has; absent: who may do everything
   * @throws `NOT_FOUND`, `STRONGER_MEMBER`, `LAST_OWNER`
   */
  delete(teamId: string, actor?: Principal): Promise<void> {
    return this.directory.change(async (ver) => {
      const team = await this.get(teamId)
      const held = await this.mustOutrankTeam(team, actor)
      await this.directory.mustKeepOwners(ownedBy(held), (row) => row.team === teamId)
      await this.put(team, ver, true)
      await putMemberships(
        this.store,
        held.map((row) => ({ ...row, roles: [] })),
        ver,
      )
    })
  }

  /**
   * Puts users into a team and takes others out.
   * @param change adds these and removes those, or leaves exactly these
   * @param actor who must have all that the team has; absent: who may do everything
   * @throws `NOT_FOUND` of team and users, `UNHELD_RIGHT`, `STRONGER_MEMBER`, `LAST_OWNER`
   */
  setMembers(
    teamId: string,
    change: { add?: readonly string[]; remove?: readonly string[]; exactly?: readonly string[] },
    actor?: Principal,
  ): Promise<FullTeam> {
    return this.directory.change(async (ver) => {
      const team = await this.get(teamId)
      const before = new Set(team.members.map(({ userId }) => userId))
      const asked = change.exactly ?? change.add ?? []
      const added = [...new Set(asked)].filter((userId) => !before.has(userId))
      const removed =
        change.exactly === undefined
          ? (change.remove ?? []).filter((userId) => before.has(userId))
          : [...before].filter((userId) => !asked.includes(userId))
      for (const userId of added) await this.directory.userWithId(userId)
      const held = await this.mustOutrankTeam(team, actor, added.length > 0)
      if (removed.length > 0)
        await this.directory.mustKeepOwners(
          ownedBy(held),
          (row) => row.team === teamId && removed.includes(row.userId),
        )
      const rows = [...added.map((userId) => [userId, 1]), ...removed.map((userId) => [userId, 0])]
      await this.store.insertRows(
        'team_members',
        rows.map(([user_id, live]) => ({ user_id, team_id: teamId, live, ver: String(ver) })),
      )
      return this.get(teamId)
    })
  }

  /** What the team holds. @throws `STRONGER_MEMBER`, or `UNHELD_RIGHT` if it is given to somebody, if the actor has less */
  private async mustOutrankTeam(team: Team, actor: Principal | undefined, isGiven = false) {
    const held = await membershipsOf(this.store, [teamSubject(team.teamId)])
    if (actor === undefined) return held
    const authority = { actor, catalog: await this.directory.roleCatalog() }
    for (const { roles, scope } of held) {
      mustOutrank(authority, roles, scope, `The team ${team.name}`)
      if (isGiven)
        for (const role of roles)
          if (authority.catalog.permissionsOf(role, scope) !== undefined) mustGive(authority, role, scope)
    }
    return held
  }

  private async mustBeFree({ entity, name }: Pick<Team, 'entity' | 'name'>): Promise<void> {
    const taken = await this.store.row(sql`SELECT 1 FROM teams FINAL
      WHERE deleted = 0 AND entity = ${bind.string(entity)} AND name = ${bind.string(name)} LIMIT 1`)
    if (taken !== undefined) throw errors.nameTaken(name)
  }

  private put({ teamId, entity, name, source, externalId, createdAt }: Team, ver: bigint, isDeleted = false) {
    return this.store.insertRows('teams', [
      {
        ...{ team_id: teamId, entity, name, source, external_id: externalId, deleted: isDeleted ? 1 : 0 },
        created_at: createdAt.replace('T', ' ').replace('Z', ''),
        ver: String(ver),
      },
    ])
  }

  private async teamsThat(condition: Sql): Promise<FullTeam[]> {
    const teams = await this.store.rows<Team>(sql`SELECT team_id AS teamId, entity, name, source,
        external_id AS externalId, formatDateTime(created_at, '%Y-%m-%dT%H:%i:%SZ') AS createdAt
      FROM teams FINAL WHERE deleted = 0 AND ${condition} ORDER BY name, team_id`)
    if (teams.length === 0) return []
    const members = await this.store.rows<TeamMember & { teamId: string }>(sql`SELECT pair.team_id AS teamId,
        pair.user_id AS userId, user.username AS username
      FROM (SELECT team_id, user_id FROM team_members FINAL
        WHERE live = 1 AND team_id IN ${bind.strings(teams.map(({ teamId }) => teamId))}) AS pair
      INNER JOIN (SELECT user_id, username FROM users FINAL WHERE deleted = 0) AS user ON user.user_id = pair.user_id
      ORDER BY username`)
    const byTeam = groupBy(members, ({ teamId }) => teamId)
    return teams.map((team) => ({
      ...team,
      members: (byTeam.get(team.teamId) ?? []).map(({ userId, username }) => ({ userId, username })),
    }))
  }
}

const ownedBy = (held: readonly { scope: string; roles: readonly string[] }[]): string[] =>
  held.filter(({ roles }) => roles.includes(OWNER)).map(({ scope }) => scope)
