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

/** Where a session began, as far as that is known. */
export interface Origin {
  /** as the browser names itself */
  browser: string
  address: string
}

/** Stores a new session. */
export async function insertSession(
  store: Store,
  hash: string,
  { keyHash, userId, expiresAt }: SessionRow,
  { browser, address }: Origin,
): Promise<void> {
  await store.run(sql`
    INSERT INTO sessions (session_hash, key_hash, user_id, browser, address, created_at, expires_at, live, ver)
    SELECT ${bind.string(hash)}, ${bind.string(keyHash)}, ${bind.string(userId)}, ${bind.string(browser)},
      ${bind.string(address)}, now64(6), fromUnixTimestamp64Milli(${bind.int(expiresAt)}), 1, 1`)
}

/** The live sessions with these hashes. */
export async function findSessions(
  store: Store,
  hashes: readonly string[],
  options?: StatementOptions,
): Promise<Map<string, SessionRow>> {
  const rows = await store.rows<SessionRow & { hash: string }>(
    sql`SELECT toString(session_hash) AS hash, if(user_id = '', toString(key_hash), '') AS keyHash, user_id AS userId,
        toUnixTimestamp64Milli(expires_at) AS expiresAt
      FROM sessions FINAL WHERE has(${bind.strings(hashes)}, toString(session_hash)) AND live = 1`,
    options,
  )
  return new Map(rows.map(({ hash, ...row }) => [hash, row]))
}

/** Ends a session for good. */
export const endSession = (store: Store, hash: string): Promise<void> =>
  end(store, sql`session_hash = ${bind.string(hash)}`)

async function end(store: Store, which: Sql): Promise<void> {
  await store.run(sql`INSERT INTO sessions SELECT * REPLACE(0 AS live, 2 AS ver)
    FROM (SELECT * FROM sessions FINAL WHERE ${which})`)
}

/** The most sessions of a key that are listed. */
const LISTED = 1000

/** Those of the same user, or of the same key. */
const alike = ({ keyHash, userId }: Pick<SessionRow, 'keyHash' | 'userId'>): Sql =>
  userId === ''
    ? sql`user_id = '' AND key_hash = ${bind.string(keyHash)}`
    : sql`user_id = ${bind.string(userId)}`

export interface ListedSession extends Origin {
  sessionHash: string
  /** ISO 8601 */
  createdAt: string
  expiresAt: string
  /** empty: not known */
  seenAt: string
}

const ISO = sql`'%Y-%m-%dT%H:%i:%SZ', 'UTC'`

/** The live sessions of a user, or of a key, the newest first. */
export function listSessions(
  store: Store,
  of: Pick<SessionRow, 'keyHash' | 'userId'>,
): Promise<ListedSession[]> {
  return store.rows(sql`
    SELECT toString(session_hash) AS sessionHash, formatDateTime(created_at, ${ISO}) AS createdAt,
      formatDateTime(expires_at, ${ISO}) AS expiresAt, browser, address,
      if(seen_at = toDateTime64(0, 6), '', formatDateTime(seen_at, ${ISO})) AS seenAt
    FROM (SELECT * FROM sessions FINAL WHERE ${alike(of)} AND live = 1 AND expires_at > now64(6)
      ORDER BY created_at DESC LIMIT ${bind.uint(LISTED)}) AS live_ones
    LEFT JOIN (SELECT session_hash, max(seen_at) AS seen_at FROM sessions_seen GROUP BY session_hash) AS seen
      USING (session_hash)
    ORDER BY created_at DESC`)
}

/** Stores that these sessions are used now. */
export function putSessionsSeen(store: Store, hashes: readonly string[]): Promise<void> {
  const seen_at = new Date().toISOString().replace('T', ' ').replace('Z', '')
  return store.insertRows(
    'sessions_seen',
    hashes.map((session_hash) => ({ session_hash, seen_at })),
  )
}

/** Ends all sessions of a user, or of a key, for good. */
export const endSessions = (store: Store, of: Pick<SessionRow, 'keyHash' | 'userId'>): Promise<void> =>
  end(store, sql`${alike(of)} AND live = 1`)
