/** Reads and writes the table of memberships: which roles users and teams have over which scopes. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { type Membership, teamSubject, userSubject } from './user.js'

export interface MembershipRow extends Membership {
  /** `user:ID` or `team:ID` */
  subject: string
}

/** A role that a user has, by itself or by a team. */
export interface HeldRow extends Membership {
  userId: string
  /** id of the team that it has the role by; empty: by itself */
  team: string
}

/** The pairs of user and team that are in force. */
const TEAM_PAIRS = sql`SELECT user_id, team_id FROM team_members FINAL
  WHERE live = 1 AND team_id IN (SELECT team_id FROM teams FINAL WHERE deleted = 0)`

/** The memberships that `condition` holds for. */
function membershipsThat(store: Store, condition: Sql): Promise<MembershipRow[]> {
  return store.rows<MembershipRow>(sql`SELECT subject, scope, source, roles FROM memberships FINAL
    WHERE notEmpty(roles) AND ${condition} ORDER BY scope, subject, source`)
}

/** The memberships of these subjects. */
export function membershipsOf(store: Store, subjects: readonly string[]): Promise<MembershipRow[]> {
  return membershipsThat(store, sql`subject IN ${bind.strings(subjects)}`)
}

/** What these users hold, by themselves and by their teams. */
export async function heldBy(
  store: Store,
  userIds: readonly string[],
  options?: StatementOptions,
): Promise<HeldRow[]> {
  const subjects = bind.strings(userIds.map(userSubject))
  return store.rows<HeldRow>(
    sql`SELECT substring(subject, ${bind.int(userSubject('').length + 1)}) AS userId, '' AS team, scope, source, roles
      FROM memberships FINAL WHERE notEmpty(roles) AND subject IN ${subjects}
      UNION ALL
      SELECT pair.user_id AS userId, pair.team_id AS team, given.scope AS scope, given.source AS source, given.roles AS roles
      FROM (${TEAM_PAIRS} AND user_id IN ${bind.strings(userIds)}) AS pair
      INNER JOIN (SELECT subject, scope, source, roles FROM memberships FINAL
        WHERE notEmpty(roles) AND startsWith(subject, ${bind.string(teamSubject(''))})) AS given
      ON given.subject = concat(${bind.string(teamSubject(''))}, pair.team_id)`,
    options,
  )
}

/** Who holds `role` over the scopes, and by which team, of active users alone. */
export function holdersOf(store: Store, role: string, scopes: readonly string[]): Promise<HeldRow[]> {
  const given = sql`SELECT subject, scope, source, roles FROM memberships FINAL
    WHERE has(roles, ${bind.string(role)}) AND scope IN ${bind.strings(scopes)}`
  return store.rows<HeldRow>(sql`SELECT userId, team, scope, source, roles FROM (
      SELECT substring(subject, ${bind.int(userSubject('').length + 1)}) AS userId, '' AS team, scope, source, roles
      FROM (${given}) WHERE startsWith(subject, ${bind.string(userSubject(''))})
      UNION ALL
      SELECT pair.user_id AS userId, pair.team_id AS team, by_team.scope AS scope, by_team.source AS source, by_team.roles AS roles
      FROM (${TEAM_PAIRS}) AS pair INNER JOIN (${given}) AS by_team
      ON by_team.subject = concat(${bind.string(teamSubject(''))}, pair.team_id))
    WHERE userId IN (SELECT user_id FROM users FINAL WHERE deleted = 0 AND active = 1)`)
}

/** Stores memberships as they are now; one without roles is gone. @param ver of the lease under which they were read */
export function putMemberships(store: Store, rows: readonly MembershipRow[], ver: bigint): Promise<void> {
  return store.insertRows(
    'memberships',
    rows.map(({ subject, scope, source, roles }) => ({ subject, scope, source, roles, ver: String(ver) })),
  )
}
