/** Reads and writes the table of API keys. Knows only hashes, never a key, and nothing of requests. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import type { Grant } from '../../platform/http/principal.js'
import { readGrants, writeGrants } from './grants.js'

/** A key's row, which doesn't contain the key itself. */
export interface KeyRow {
  /** sha256 of the key, hex */
  hash: string
  keyId: string
  userId: string
  username: string
  label: string
  grants: Grant[]
  /** `entity/project` where its chat completions are logged by default; empty: nowhere */
  traceProject: string
  /** ISO 8601 */
  createdAt: string
  /** ISO 8601; undefined: live */
  revokedAt: string | undefined
}

interface Stored {
  key_hash: string
  key_id: string
  user_id: string
  username: string
  label: string
  grants: string
  trace_project: string
  created: string
  revoked: string
  is_live: number
}

const SELECT = sql`
  SELECT key_hash, key_id, user_id, username, label, grants, trace_project, toUnixTimestamp64Micro(revoked_at) = 0 AS is_live,
         formatDateTime(created_at, '%Y-%m-%dT%H:%i:%SZ') AS created,
         formatDateTime(revoked_at, '%Y-%m-%dT%H:%i:%SZ') AS revoked
  FROM api_keys FINAL`

/** All keys, revoked ones included, oldest first. */
export async function listKeys(store: Store, options?: StatementOptions): Promise<KeyRow[]> {
  return (await store.rows<Stored>(sql`${SELECT} ORDER BY created_at, key_id`, options)).map(keyRow)
}

/** The keys with these hashes. */
export async function findKeys(
  store: Store,
  hashes: readonly string[],
  options?: StatementOptions,
): Promise<KeyRow[]> {
  const rows = await store.rows<Stored>(
    sql`${SELECT} WHERE has(${bind.strings(hashes)}, toString(key_hash))`,
    options,
  )
  return rows.map(keyRow)
}

/** The key with this id, revoked or not. */
export async function keyWithId(store: Store, keyId: string): Promise<KeyRow | undefined> {
  const row = await store.row<Stored>(sql`${SELECT} WHERE key_id = ${bind.string(keyId)}`)
  return row && keyRow(row)
}

/** Stores a new key. */
export async function insertKey(
  store: Store,
  key: Pick<KeyRow, 'hash' | 'keyId' | 'userId' | 'username' | 'label' | 'grants'> &
    Partial<Pick<KeyRow, 'traceProject'>>,
): Promise<void> {
  await store.run(sql`
    INSERT INTO api_keys (key_hash, key_id, user_id, username, label, grants, trace_project, created_at, revoked_at, ver)
    SELECT ${bind.string(key.hash)}, ${bind.string(key.keyId)}, ${bind.string(key.userId)},
           ${bind.string(key.username)}, ${bind.string(key.label)}, ${bind.string(writeGrants(key.grants))},
           ${bind.string(key.traceProject ?? '')}, now64(6), toDateTime64(0, 6), 1`)
}

/** Revokes a key for good. @returns false if no live key has this id */
export async function revokeKey(store: Store, keyId: string): Promise<boolean> {
  const live = await store.row(
    sql`SELECT key_id FROM api_keys FINAL WHERE key_id = ${bind.string(keyId)} AND toUnixTimestamp64Micro(revoked_at) = 0`,
  )
  if (!live) return false
  // A key is written twice in its life, with versions 1 and 2, so no clock can undo a revocation.
  await store.run(sql`
    INSERT INTO api_keys (key_hash, key_id, user_id, username, label, grants, trace_project, created_at, revoked_at, ver)
    SELECT key_hash, key_id, user_id, username, label, grants, trace_project, created_at, now64(6), 2
    FROM api_keys FINAL WHERE key_id = ${bind.string(keyId)}`)
  return true
}

function keyRow(row: Stored): KeyRow {
  return {
    hash: row.key_hash,
    keyId: row.key_id,
    userId: row.user_id,
    username: row.username,
    label: row.label,
    grants: readGrants(row.grants),
    traceProject: row.trace_project,
    createdAt: row.created,
    revokedAt: row.is_live ? undefined : row.revoked,
  }
}
