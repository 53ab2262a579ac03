/** Reads and writes the table of API keys. Knows only hashes, never a key, and nothing of requests. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import type { Grant, KeyLimits } from '../../platform/http/principal.js'
import { readGrants, writeGrants } from './grants.js'
import { readLimits, writeLimits } from './key-limits.js'

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
  /** ms since the epoch; undefined: it does not expire */
  expiresAt: number | undefined
  limits: KeyLimits
  /** its rights are those of its user, as far as its grants have them too; without grants, all of them */
  followsUser: boolean
  /** id of the key that it was rotated from; empty: of none */
  replaces: string
  /** its user was deactivated */
  isUserInactive: boolean
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
  expires: string
  limits: string
  follows_user: number
  replaces: string
  is_inactive: number
}

/** What a new key is made of. */
export type NewKeyRow = Pick<KeyRow, 'hash' | 'keyId' | 'userId' | 'username' | 'label' | 'grants'> &
  Partial<Pick<KeyRow, 'traceProject' | 'expiresAt' | 'limits' | 'followsUser' | 'replaces'>>

const SELECT = sql`
  SELECT key_hash, key_id, user_id, username, label, grants, trace_project, toUnixTimestamp64Micro(revoked_at) = 0 AS is_live,
         formatDateTime(created_at, '%Y-%m-%dT%H:%i:%SZ') AS created,
         formatDateTime(revoked_at, '%Y-%m-%dT%H:%i:%SZ') AS revoked,
         toString(toUnixTimestamp64Milli(expires_at)) AS expires, limits, follows_user, replaces,
         user_id IN (SELECT user_id FROM users FINAL WHERE active = 0) AS is_inactive
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

/** The live keys of a user, oldest first. */
export async function keysOfUser(store: Store, userId: string): Promise<KeyRow[]> {
  const rows = await store.rows<Stored>(
    sql`${SELECT} WHERE user_id = ${bind.string(userId)} AND is_live ORDER BY created_at, key_id`,
  )
  return rows.map(keyRow)
}

/** The columns of a key besides those that change. */
const LASTING = sql`key_hash, key_id, user_id, username, label, grants, trace_project, created_at, limits, follows_user, replaces`

/** Stores a new key. */
export async function insertKey(store: Store, key: NewKeyRow): Promise<void> {
  await store.run(sql`
    INSERT INTO api_keys (${LASTING}, expires_at, revoked_at, ver)
    SELECT ${bind.string(key.hash)}, ${bind.string(key.keyId)}, ${bind.string(key.userId)},
           ${bind.string(key.username)}, ${bind.string(key.label)}, ${bind.string(writeGrants(key.grants))},
           ${bind.string(key.traceProject ?? '')}, now64(6), ${bind.string(writeLimits(key.limits))},
           ${bind.bool(key.followsUser ?? false)}, ${bind.string(key.replaces ?? '')},
           fromUnixTimestamp64Milli(${bind.int(key.expiresAt ?? 0)}), toDateTime64(0, 6), 1`)
}

/** The version of a revoked key: no other change, and no clock, can undo it. */
const REVOKED_VERSION = 2n ** 63n

/** Revokes a key for good. @returns false if no live key has this id */
export async function revokeKey(store: Store, keyId: string): Promise<boolean> {
  const live = await store.row(
    sql`SELECT key_id FROM api_keys FINAL WHERE key_id = ${bind.string(keyId)} AND toUnixTimestamp64Micro(revoked_at) = 0`,
  )
  if (!live) return false
  await store.run(sql`
    INSERT INTO api_keys (${LASTING}, expires_at, revoked_at, ver)
    SELECT ${LASTING}, expires_at, now64(6), ${bind.uint(REVOKED_VERSION)}
    FROM api_keys FINAL WHERE key_id = ${bind.string(keyId)}`)
  return true
}

/** Lets a live key expire at `expiresAt` (ms since the epoch), unless it does before. */
export async function expireKey(store: Store, keyId: string, expiresAt: number): Promise<void> {
  const then = sql`fromUnixTimestamp64Milli(${bind.int(expiresAt)})`
  await store.run(sql`
    INSERT INTO api_keys (${LASTING}, expires_at, revoked_at, ver)
    SELECT ${LASTING}, ${then}, revoked_at, ver + 1
    FROM api_keys FINAL WHERE key_id = ${bind.string(keyId)} AND toUnixTimestamp64Micro(revoked_at) = 0
      AND (toUnixTimestamp64Micro(expires_at) = 0 OR expires_at > ${then})`)
}

/** What of a key may be changed. */
export type KeyChange = Pick<KeyRow, 'label' | 'grants' | 'traceProject' | 'expiresAt' | 'limits'>

/** Changes a live key. @returns false if no live key has this id */
export async function updateKey(
  store: Store,
  keyId: string,
  { label, grants, traceProject, expiresAt, limits }: KeyChange,
): Promise<boolean> {
  const which = sql`FROM api_keys FINAL WHERE key_id = ${bind.string(keyId)} AND toUnixTimestamp64Micro(revoked_at) = 0
    AND (toUnixTimestamp64Micro(expires_at) = 0 OR expires_at > now64(6))`
  if ((await store.row(sql`SELECT key_id ${which}`)) === undefined) return false
  await store.run(sql`
    INSERT INTO api_keys (key_hash, key_id, user_id, username, created_at, follows_user, replaces, revoked_at,
      label, grants, trace_project, expires_at, limits, ver)
    SELECT key_hash, key_id, user_id, username, created_at, follows_user, replaces, revoked_at,
      ${bind.string(label)}, ${bind.string(writeGrants(grants))}, ${bind.string(traceProject)},
      fromUnixTimestamp64Milli(${bind.int(expiresAt ?? 0)}), ${bind.string(writeLimits(limits))}, ver + 1 ${which}`)
  return true
}

/** Gives the live keys of a user, but those that follow it, to another user. @returns their ids */
export async function giveKeys(
  store: Store,
  fromUserId: string,
  to: { userId: string; username: string },
): Promise<string[]> {
  const which = sql`FROM api_keys FINAL WHERE user_id = ${bind.string(fromUserId)} AND follows_user = 0
    AND toUnixTimestamp64Micro(revoked_at) = 0`
  const rows = await store.rows<{ key_id: string }>(sql`SELECT key_id ${which} ORDER BY key_id`)
  if (rows.length > 0)
    await store.run(sql`
      INSERT INTO api_keys (key_hash, key_id, user_id, username, label, grants, trace_project, created_at, limits,
        follows_user, replaces, expires_at, revoked_at, ver)
      SELECT key_hash, key_id, ${bind.string(to.userId)}, ${bind.string(to.username)}, label, grants, trace_project,
        created_at, limits, follows_user, replaces, expires_at, revoked_at, ver + 1 ${which}`)
  return rows.map(({ key_id }) => key_id)
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
    expiresAt: row.expires === '0' ? undefined : Number(row.expires),
    limits: readLimits(row.limits),
    followsUser: row.follows_user === 1,
    replaces: row.replaces,
    isUserInactive: row.is_inactive === 1,
  }
}
