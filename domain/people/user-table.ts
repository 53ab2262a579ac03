import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import type { User } from './user.js'

/** The users that `condition` holds for, by name. */
export function usersThat(store: Store, condition: Sql, options?: StatementOptions): Promise<User[]> {
  return store.rows<User>(
    sql`SELECT user_id AS userId, username, email, name, kind, CAST(active, 'Bool') AS active, source,
        external_id AS externalId, scope, formatDateTime(created_at, '%Y-%m-%dT%H:%i:%SZ') AS createdAt
      FROM users FINAL WHERE deleted = 0 AND ${condition} ORDER BY username`,
    options,
  )
}

async function isThere(store: Store, rows: Sql): Promise<boolean> {
  return (await store.row(sql`SELECT 1 FROM ${rows} LIMIT 1`)) !== undefined
}

/** The users with these ids, by name. */
export function usersWithIds(
  store: Store,
  ids: readonly string[],
  options?: StatementOptions,
): Promise<User[]> {
  return usersThat(store, sql`user_id IN ${bind.strings(ids)}`, options)
}

/** The user called `username`. @param username as {@link normalName} has it */
export async function userNamed(store: Store, username: string): Promise<User | undefined> {
  return (await usersThat(store, sql`username = ${bind.string(username)}`))[0]
}

/** Whether somebody ever had this id. */
export function isTaken(store: Store, userId: string): Promise<boolean> {
  return isThere(store, sql`users FINAL WHERE user_id = ${bind.string(userId)}`)
}

/** Whether there is a person among the users. */
export function hasPeople(store: Store): Promise<boolean> {
  return isThere(store, sql`users FINAL WHERE deleted = 0 AND kind = 'person'`)
}

/** Stores the users as they are now. @param ver of the lease under which they were read */
export function putUsers(
  store: Store,
  users: readonly (User & { isDeleted?: boolean })[],
  ver: bigint,
): Promise<void> {
  return store.insertRows(
    'users',
    users.map((user) => ({
      ...{ user_id: user.userId, username: user.username, email: user.email, name: user.name },
      ...{ kind: user.kind, active: user.active ? 1 : 0, source: user.source, scope: user.scope },
      external_id: user.externalId,
      created_at: user.createdAt.replace('T', ' ').replace('Z', ''),
      deleted: user.isDeleted ? 1 : 0,
      ver: String(ver),
    })),
  )
}

/** The user that an issuer calls `subject`. */
export function userOfIdentity(store: Store, issuer: string, subject: string): Promise<string | undefined> {
  return store.value<string>(sql`SELECT user_id FROM identities FINAL
    WHERE issuer = ${bind.string(issuer)} AND subject = ${bind.string(subject)}`)
}

/** Whether some issuer knows the user. */
export function hasIdentity(store: Store, userId: string): Promise<boolean> {
  return isThere(store, sql`identities FINAL WHERE user_id = ${bind.string(userId)}`)
}

/** Stores that an issuer calls the user `subject`. */
export function putIdentity(
  store: Store,
  { issuer, subject }: { issuer: string; subject: string },
  userId: string,
  ver: bigint,
): Promise<void> {
  return store.insertRows('identities', [{ issuer, subject, user_id: userId, ver: String(ver) }])
}

/** Stores when users were seen. */
export function putSeen(store: Store, userIds: readonly string[]): Promise<void> {
  const seen_at = new Date().toISOString().replace('T', ' ').replace('Z', '')
  return store.insertRows(
    'users_seen',
    userIds.map((user_id) => ({ user_id, seen_at })),
  )
}

/** When the users were last seen, in ISO 8601. */
export async function seenTimes(store: Store, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await store.rows<{ user_id: string; seen: string }>(sql`SELECT user_id,
      formatDateTime(max(seen_at), '%Y-%m-%dT%H:%i:%SZ') AS seen
    FROM users_seen WHERE user_id IN ${bind.strings(userIds)} GROUP BY user_id`)
  return new Map(rows.map(({ user_id, seen }) => [user_id, seen]))
}
