/** The table of batches' files: stores and reads rows. */
import { bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nextVersion } from '../../platform/time/versions.js'

export interface FileRow {
  owner: string
  id: string
  /** the key whose limits it counts against */
  key_id: string
  filename: string
  bytes: number
  /** its content are results of this batch; empty: it was uploaded */
  batch_id: string
  /** 1: of the lines without an answer */
  failed: 0 | 1
  /** Unix seconds */
  created_at: number
  expires_at: number
}

const SELECT = sql`SELECT owner, id, key_id, filename, toFloat64(bytes) AS bytes, batch_id, failed, created_at, expires_at
  FROM batch_files FINAL WHERE deleted = 0`
const LIVE = sql`AND expires_at > toUnixTimestamp(now())`
/** The rows of deleted files are kept this long, so that a late writer does not bring one back. */
const KEPT_SECONDS = 86_400

export async function putFile(store: Store, row: FileRow): Promise<void> {
  await store.insertRows('batch_files', [{ ...row, deleted: 0, ver: nextVersion() }])
}

/** Marks files as deleted. */
export async function markDeleted(store: Store, rows: readonly FileRow[]): Promise<void> {
  const expire_at = Math.floor(Date.now() / 1000) + KEPT_SECONDS
  await store.insertRows(
    'batch_files',
    rows.map((row) => ({ ...row, deleted: 1, ver: nextVersion(), expire_at })),
  )
}

/** A file that has not expired. */
export function fileRow(store: Store, owner: string, id: string): Promise<FileRow | undefined> {
  return store.row<FileRow>(
    sql`${SELECT} ${LIVE} AND owner = ${bind.string(owner)} AND id = ${bind.string(id)} LIMIT 1`,
  )
}

export interface FileQuery {
  owner: string
  purpose?: string | undefined
  /** an id: starts after it */
  after?: string | undefined
  order: 'asc' | 'desc'
  limit: number
}

/** A page of the files of an owner, by id, which is by time. */
export function fileList(
  store: Store,
  { owner, purpose, after, order, limit }: FileQuery,
): Promise<FileRow[]> {
  const when = (is: boolean, condition: Sql) => (is ? condition : sql``)
  const isResult = purpose === 'batch_output'
  const conditions = [
    sql`${SELECT} ${LIVE}`,
    sql`owner = ${bind.string(owner)}`,
    when(purpose !== undefined, sql`(batch_id != '') = ${bind.bool(isResult)}`),
    when(after !== undefined && order === 'asc', sql`id > ${bind.string(after ?? '')}`),
    when(after !== undefined && order === 'desc', sql`id < ${bind.string(after ?? '')}`),
  ]
  return store.rows<FileRow>(
    sql`${join(conditions, sql` AND `)} ORDER BY id ${order === 'asc' ? sql`ASC` : sql`DESC`} LIMIT ${bind.uint(limit)}`,
  )
}

/** The bytes that a key has uploaded and that are still stored. */
export async function bytesOfKey(store: Store, keyId: string): Promise<number> {
  const row = await store.row<{ bytes: number }>(
    sql`SELECT toFloat64(sum(bytes)) AS bytes FROM batch_files FINAL
        WHERE deleted = 0 AND key_id = ${bind.string(keyId)} AND batch_id = ''`,
  )
  return row?.bytes ?? 0
}

/** Expired files that are not marked as deleted. */
export function expiredFiles(store: Store, most: number): Promise<FileRow[]> {
  return store.rows<FileRow>(
    sql`${SELECT} AND expires_at <= toUnixTimestamp(now()) ORDER BY owner, id LIMIT ${bind.uint(most)}`,
  )
}

/** The `ids` that have a row. */
export async function filesKnown(store: Store, ids: readonly string[]): Promise<Set<string>> {
  const rows = await store.rows<{ id: string }>(
    sql`SELECT id FROM batch_files FINAL WHERE deleted = 0 AND id IN ${bind.strings(ids)}`,
  )
  return new Set(rows.map(({ id }) => id))
}
