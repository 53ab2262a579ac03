/** The names of users, for answers that name them beside their ids. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'

/** SQL of the newest name of each user; `GROUP BY user_id` follows. */
export const NEWEST_NAMES = sql`SELECT user_id, argMax(username, ver) AS name FROM api_keys`

/** By id, the names of those that have, or had, a key. */
export async function usernamesOf(store: Store, userIds: readonly string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await store.rows<{ user_id: string; name: string }>(sql`
    ${NEWEST_NAMES} WHERE user_id IN ${bind.strings(userIds)} GROUP BY user_id`)
  return new Map(rows.map(({ user_id, name }) => [user_id, name]))
}
