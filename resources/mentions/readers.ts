/** Who may read the feedback of a project: users by their roles, and whoever has a key of its own. */
import { feedbackQuery } from '../../contract/feedback-read.js'
import { readGrants } from '../../domain/auth/grants.js'
import type { People } from '../../domain/people/people.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { Principal } from '../../platform/http/principal.js'

export interface Reader {
  userId: string
  username: string
  /** as it is shown */
  name: string
  /** empty: not known */
  email: string
}

/** Whose names are looked at: these, or those that begin so, in lower case. */
export type Sought = { names: readonly string[] } | { prefix: string }

const AREA = feedbackQuery.tag
const MOST_USERS = 500
const MOST_KEYS = 1000

export class Readers {
  constructor(
    private readonly store: Store,
    private readonly people: People,
  ) {}

  /** Those who may read the notes of `project` (`entity/project`), by name. */
  async of(project: string, sought: Sought): Promise<Reader[]> {
    const [users, holders] = await Promise.all([this.users(project, sought), this.holders(project, sought)])
    return [...users, ...holders].sort((a, b) => (a.username < b.username ? -1 : 1))
  }

  /** Whether the user may read the notes of `project` now, by its roles. */
  async mayRead(userId: string, project: string): Promise<Reader | undefined> {
    const person = await this.people.personOf(userId)
    if (!person?.user.active || !maySee(person.principal, project)) return undefined
    const { username, name, email } = person.user
    return { userId, username, name, email }
  }

  private async users(project: string, sought: Sought): Promise<Reader[]> {
    const scopes = bind.strings(['*', project.split('/', 1)[0]!, project])
    const given = sql`SELECT subject FROM memberships FINAL WHERE notEmpty(roles) AND scope IN ${scopes}`
    const rows = await this.store.rows<{ user_id: string }>(sql`
      SELECT user_id FROM users FINAL
      WHERE deleted = 0 AND active = 1 AND kind = 'person' AND ${isSought(sought, sql`name`)}
        AND (concat('user:', user_id) IN (${given}) OR user_id IN (
          SELECT user_id FROM team_members FINAL WHERE live = 1 AND concat('team:', team_id) IN (${given})))
      ORDER BY username LIMIT ${bind.uint(MOST_USERS)}`)
    const people = await this.people.peopleWith(rows.map(({ user_id }) => user_id))
    return people
      .filter(({ principal }) => maySee(principal, project))
      .map(({ user: { userId, username, name, email } }) => ({ userId, username, name, email }))
  }

  /** Keys may be of people who are no users yet. */
  private async holders(project: string, sought: Sought): Promise<Reader[]> {
    const rows = await this.store.rows<{ user_id: string; username: string; grants: string }>(sql`
      SELECT user_id, username, grants FROM api_keys FINAL
      WHERE toUnixTimestamp64Micro(revoked_at) = 0 AND follows_user = 0
        AND (toUnixTimestamp64Micro(expires_at) = 0 OR expires_at > now64(6))
        AND user_id NOT IN (SELECT user_id FROM users FINAL) AND ${isSought(sought)}
      ORDER BY username, key_id LIMIT ${bind.uint(MOST_KEYS)}`)
    const found = new Map<string, Reader>()
    for (const { user_id: userId, username, grants } of rows)
      if (maySee(new Principal(userId, username, readGrants(grants)), project))
        found.set(userId, { userId, username, name: username, email: '' })
    return [...found.values()]
  }
}

/** Whether somebody may see notes of `project`, whichever area its rights were narrowed to. */
export const maySee = (principal: Principal, project: string): boolean =>
  principal.whole.within(AREA).may('read', project)

/** @param shown a column with another name of the user */
function isSought(sought: Sought, shown?: Sql): Sql {
  if ('names' in sought) return sql`lower(username) IN ${bind.strings(sought.names)}`
  const prefix = bind.string(sought.prefix)
  const begins = sql`startsWith(lower(username), ${prefix})`
  return shown === undefined ? begins : sql`(${begins} OR startsWith(lower(${shown}), ${prefix}))`
}
