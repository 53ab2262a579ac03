/** Finds users among those that an administrator sees: who have roles in what it administers. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Principal } from '../../platform/http/principal.js'
import type { User } from './user.js'

export interface UserQuery {
  /** what name or address have in them; empty: any */
  text: string
  kind?: 'person' | 'service' | undefined
  /** the username that the page before ended with; empty: the first page */
  after: string
  limit: number
  userId?: string
}

/** The ids of the users that match, by name. */
export async function findUsers(store: Store, actor: Principal, query: UserQuery): Promise<User['userId'][]> {
  const { text, kind, after, limit, userId } = query
  const rows = await store.rows<{ user_id: string }>(sql`SELECT user_id FROM users FINAL
    WHERE deleted = 0 AND username > ${bind.string(after)}
      ${text === '' ? sql`` : sql`AND positionCaseInsensitiveUTF8(concat(username, ' ', name, ' ', email), ${bind.string(text)}) > 0`}
      ${kind === undefined ? sql`` : sql`AND kind = ${bind.string(kind)}`}
      ${userId === undefined ? sql`` : sql`AND user_id = ${bind.string(userId)}`}
      ${visible(actor)}
    ORDER BY username LIMIT ${bind.uint(limit)}`)
  return rows.map(({ user_id }) => user_id)
}

function visible(actor: Principal): Sql {
  if (actor.may('admin', '*')) return sql``
  const scopes = actor.grants.filter(({ right }) => right === 'admin').map(({ scope }) => scope)
  const inScopes = (scope: Sql) =>
    sql`(${scope} IN ${bind.strings(scopes)} OR splitByChar('/', ${scope})[1] IN ${bind.strings(scopes)})`
  return sql`AND (${inScopes(sql`scope`)} OR user_id IN (
      SELECT substring(subject, 6) FROM memberships FINAL
      WHERE startsWith(subject, 'user:') AND notEmpty(roles) AND ${inScopes(sql`scope`)}
      UNION ALL
      SELECT user_id FROM team_members FINAL WHERE live = 1 AND concat('team:', team_id) IN (
        SELECT subject FROM memberships FINAL WHERE notEmpty(roles) AND ${inScopes(sql`scope`)})))`
}
