/** Reads and writes the table of sessions. Knows only hashes. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'

export interface SessionRow {
  keyHash: string
  /** ms since the epoch */
  expiresAt: number
}

/** Stores a new session. */
export async function insertSession(
  store: Store,
  hash: string,
  { keyHash, expiresAt }: SessionRow,
): Promise<void> {
  await store.run(sql`
    INSERT INTO sessions (session_hash, key_hash, created_at, expires_at, live, ver)
    SELECT ${bind.string(hash)}, ${bind.string(keyHash)}, now64(6), fromUnixTimestamp64Milli(${bind.int(expiresAt)}), 1, 1`)
}

/** The live sessions with these hashes. */
export async function findSessions(
  store: Store,
  hashes: readonly string[],
  options?: StatementOptions,
): Promise<Map<string, SessionRow>> {
  const rows = await store.rows<{ session_hash: string; key_hash: string; expires: string }>(
    sql`SELECT session_hash, key_hash, toString(toUnixTimestamp64Milli(expires_at)) AS expires
      FROM sessions FINAL WHERE has(${bind.strings(hashes)}, toString(session_hash)) AND live = 1`,
    options,
  )
  return new Map(
    rows.map((row) => [row.session_hash, { keyHash: row.key_hash, expiresAt: Number(row.expires) }]),
  )
}

/** Ends a session for good. */
export async function endSession(store: Store, hash: string): Promise<void> {
  await store.run(sql`
    INSERT INTO sessions (session_hash, key_hash, created_at, expires_at, live, ver)
    SELECT session_hash, key_hash, created_at, expires_at, 0, 2
    FROM sessions FINAL WHERE session_hash = ${bind.string(hash)}`)
}

/** The most sessions of a key that are listed. */
const LISTED = 1000

/** The live sessions of a key, the newest first. */
export function listSessions(
  store: Store,
  keyHash: string,
): Promise<{ sessionHash: string; createdAt: string; expiresAt: string }[]> {
  return store.rows(sql`
    SELECT toString(session_hash) AS sessionHash, formatDateTime(created_at, '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS createdAt,
      formatDateTime(expires_at, '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS expiresAt
    FROM sessions FINAL WHERE key_hash = ${bind.string(keyHash)} AND live = 1 AND expires_at > now64(6)
    ORDER BY created_at DESC LIMIT ${bind.uint(LISTED)}`)
}

/** Ends all sessions of a key for good. */
export async function endSessions(store: Store, keyHash: string): Promise<void> {
  await store.run(sql`
    INSERT INTO sessions (session_hash, key_hash, created_at, expires_at, live, ver)
    SELECT session_hash, key_hash, created_at, expires_at, 0, 2
    FROM sessions FINAL WHERE key_hash = ${bind.string(keyHash)} AND live = 1`)
}
