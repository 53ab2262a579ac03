/** Reads and writes the table of sessions. Knows only hashes. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'

export interface SessionRow {
  /** of the key that it stands for; empty: for a user */
  keyHash: string
  /** of a user's session; empty: it stands for a key */
  userId: string
  /** ms since the epoch */
  expiresAt: number
}

/** Stores a new session. */
export async function insertSession(
  store: Store,
  hash: string,
  { keyHash, userId, expiresAt }: SessionRow,
): Promise<void> {
  await store.run(sql`
    INSERT INTO sessions (session_hash, key_hash, user_id, created_at, expires_at, live, ver)
    SELECT ${bind.string(hash)}, ${bind.string(keyHash)}, ${bind.string(userId)}, now64(6),
      fromUnixTimestamp64Milli(${bind.int(expiresAt)}), 1, 1`)
}

/** The live sessions with these hashes. */
export async function findSessions(
  store: Store,
  hashes: readonly string[],
  options?: StatementOptions,
): Promise<Map<string, SessionRow>> {
  const rows = await store.rows<{ session_hash: string; key_hash: string; user_id: string; expires: string }>(
    sql`SELECT session_hash, if(user_id = '', toString(key_hash), '') AS key_hash, user_id, toString(toUnixTimestamp64Milli(expires_at)) AS expires
      FROM sessions FINAL WHERE has(${bind.strings(hashes)}, toString(session_hash)) AND live = 1`,
    options,
  )
  return new Map(
    rows.map((row) => [
      row.session_hash,
      { keyHash: row.key_hash, userId: row.user_id, expiresAt: Number(row.expires) },
    ]),
  )
}

/** Ends a session for good. */
export async function endSession(store: Store, hash: string): Promise<void> {
  await store.run(sql`
    INSERT INTO sessions (session_hash, key_hash, user_id, created_at, expires_at, live, ver)
    SELECT session_hash, key_hash, user_id, created_at, expires_at, 0, 2
    FROM sessions FINAL WHERE session_hash = ${bind.string(hash)}`)
}

/** The most sessions of a key that are listed. */
const LISTED = 1000

/** Those of the same user, or of the same key. */
const alike = ({ keyHash, userId }: Pick<SessionRow, 'keyHash' | 'userId'>): Sql =>
  userId === ''
    ? sql`user_id = '' AND key_hash = ${bind.string(keyHash)}`
    : sql`user_id = ${bind.string(userId)}`

/** The live sessions of a user, or of a key, the newest first. */
export function listSessions(
  store: Store,
  of: Pick<SessionRow, 'keyHash' | 'userId'>,
): Promise<{ sessionHash: string; createdAt: string; expiresAt: string }[]> {
  return store.rows(sql`
    SELECT toString(session_hash) AS sessionHash, formatDateTime(created_at, '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS createdAt,
      formatDateTime(expires_at, '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS expiresAt
    FROM sessions FINAL WHERE ${alike(of)} AND live = 1 AND expires_at > now64(6)
    ORDER BY created_at DESC LIMIT ${bind.uint(LISTED)}`)
}

/** Ends all sessions of a user, or of a key, for good. */
export async function endSessions(store: Store, of: Pick<SessionRow, 'keyHash' | 'userId'>): Promise<void> {
  await store.run(sql`
    INSERT INTO sessions (session_hash, key_hash, user_id, created_at, expires_at, live, ver)
    SELECT session_hash, key_hash, user_id, created_at, expires_at, 0, 2
    FROM sessions FINAL WHERE ${alike(of)} AND live = 1`)
}
