/** Reads and writes the table of API keys. Knows only hashes, never a key, and nothing of requests. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
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

type Stored = Omit<KeyRow, 'grants' | 'limits' | 'revokedAt' | 'expiresAt'> & {
  grants: string
  limits: string
  revokedAt: string | null
  expiresAt: number | null
}

/** What a new key is made of. */
export type NewKeyRow = Pick<KeyRow, 'hash' | 'keyId' | 'userId' | 'username' | 'label' | 'grants'> &
  Partial<Pick<KeyRow, 'traceProject' | 'expiresAt' | 'limits' | 'followsUser' | 'replaces'>>

const LIVE = sql`toUnixTimestamp64Micro(revoked_at) = 0`

const SELECT = sql`
  SELECT key_hash AS hash, key_id AS keyId, user_id AS userId, username, label, grants, trace_project AS traceProject,
         formatDateTime(created_at, '%Y-%m-%dT%H:%i:%SZ') AS createdAt,
         if(${LIVE}, NULL, formatDateTime(revoked_at, '%Y-%m-%dT%H:%i:%SZ')) AS revokedAt,
         nullIf(toUnixTimestamp64Milli(expires_at), 0) AS expiresAt, limits, CAST(follows_user, 'Bool') AS followsUser, replaces,
         CAST(user_id IN (SELECT user_id FROM users FINAL WHERE active = 0), 'Bool') AS isUserInactive
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
    sql`${SELECT} WHERE user_id = ${bind.string(userId)} AND ${LIVE} ORDER BY created_at, key_id`,
  )
  return rows.map(keyRow)
}

/** Stores a new key. */
export async function insertKey(store: Store, key: NewKeyRow): Promise<void> {
  await store.run(sql`
    INSERT INTO api_keys (key_hash, key_id, user_id, username, label, grants, trace_project, created_at, limits,
      follows_user, replaces, expires_at, revoked_at, ver)
    SELECT ${bind.string(key.hash)}, ${bind.string(key.keyId)}, ${bind.string(key.userId)},
           ${bind.string(key.username)}, ${bind.string(key.label)}, ${bind.string(writeGrants(key.grants))},
           ${bind.string(key.traceProject ?? '')}, now64(6), ${bind.string(writeLimits(key.limits))},
           ${bind.bool(key.followsUser ?? false)}, ${bind.string(key.replaces ?? '')},
           fromUnixTimestamp64Milli(${bind.int(key.expiresAt ?? 0)}), toDateTime64(0, 6), 1`)
}

/** Stores the keys that `which` holds for again, with other values in some columns. */
async function rewrite(store: Store, columns: Sql, which: Sql): Promise<void> {
  await store.run(sql`INSERT INTO api_keys SELECT * REPLACE(${columns})
    FROM (SELECT * FROM api_keys FINAL WHERE ${which})`)
}

/** The version of a revoked key: no other change, and no clock, can undo it. */
const REVOKED_VERSION = 2n ** 63n

/** Revokes a key for good. @returns false if no live key has this id */
export async function revokeKey(store: Store, keyId: string): Promise<boolean> {
  const which = sql`key_id = ${bind.string(keyId)}`
  if (!(await store.row(sql`SELECT key_id FROM api_keys FINAL WHERE ${which} AND ${LIVE}`))) return false
  await rewrite(store, sql`now64(6) AS revoked_at, ${bind.uint(REVOKED_VERSION)} AS ver`, which)
  return true
}

/** Lets a live key expire at `expiresAt` (ms since the epoch), unless it does before. */
export async function expireKey(store: Store, keyId: string, expiresAt: number): Promise<void> {
  const then = sql`fromUnixTimestamp64Milli(${bind.int(expiresAt)})`
  await rewrite(
    store,
    sql`${then} AS expires_at, ver + 1 AS ver`,
    sql`key_id = ${bind.string(keyId)} AND ${LIVE} AND (toUnixTimestamp64Micro(expires_at) = 0 OR expires_at > ${then})`,
  )
}

export type KeyChange = Pick<KeyRow, 'label' | 'grants' | 'traceProject' | 'expiresAt' | 'limits'>

/** Changes a live key. @returns false if no live key has this id */
export async function updateKey(
  store: Store,
  keyId: string,
  { label, grants, traceProject, expiresAt, limits }: KeyChange,
): Promise<boolean> {
  const which = sql`key_id = ${bind.string(keyId)} AND ${LIVE}
    AND (toUnixTimestamp64Micro(expires_at) = 0 OR expires_at > now64(6))`
  if (!(await store.row(sql`SELECT key_id FROM api_keys FINAL WHERE ${which}`))) return false
  await rewrite(
    store,
    sql`${bind.string(label)} AS label, ${bind.string(writeGrants(grants))} AS grants,
      ${bind.string(traceProject)} AS trace_project, fromUnixTimestamp64Milli(${bind.int(expiresAt ?? 0)}) AS expires_at,
      ${bind.string(writeLimits(limits))} AS limits, ver + 1 AS ver`,
    which,
  )
  return true
}

/** Gives the live keys of a user, but those that follow it, to another user. @returns their ids */
export async function giveKeys(
  store: Store,
  fromUserId: string,
  to: { userId: string; username: string },
): Promise<string[]> {
  const which = sql`user_id = ${bind.string(fromUserId)} AND follows_user = 0 AND ${LIVE}`
  const rows = await store.rows<{ key_id: string }>(
    sql`SELECT key_id FROM api_keys FINAL WHERE ${which} ORDER BY key_id`,
  )
  const owner = sql`${bind.string(to.userId)} AS user_id, ${bind.string(to.username)} AS username`
  if (rows.length > 0) await rewrite(store, sql`${owner}, ver + 1 AS ver`, which)
  return rows.map(({ key_id }) => key_id)
}

function keyRow({ grants, limits, revokedAt, expiresAt, ...row }: Stored): KeyRow {
  return {
    ...row,
    ...{ grants: readGrants(grants), limits: readLimits(limits) },
    ...{ revokedAt: revokedAt ?? undefined, expiresAt: expiresAt ?? undefined },
  }
}
