import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { COLUMNS_FIRST, type Store } from '../../platform/clickhouse/store.js'
import { derivedId } from '../../platform/ids/derived.js'
import { LIVE, micros } from './columns.js'

export interface ModelKey {
  /** internal id */
  project_id: string
  id: string
}

/** Times are µs since 1970; 0: not deleted. */
export interface StoredCheckpoint {
  project_id: string
  model_id: string
  step: number
  id: string
  /** JSON: name → number */
  metrics: string
  address: string
  manifest_sha256: string
  bytes: number
  job_id: string
  created_at: number
  deleted_at: number
  files_deleted_at: number
}

const COLUMNS = sql`project_id, model_id, step, id, metrics, address, manifest_sha256, bytes, job_id,
  ${micros(sql`created_at`)}, ${micros(sql`deleted_at`)}, ${micros(sql`files_deleted_at`)}`

const those = (store: Store, condition: Sql): Promise<StoredCheckpoint[]> =>
  store.rows<StoredCheckpoint>(
    sql`SELECT ${COLUMNS} FROM checkpoints FINAL WHERE ${condition}`,
    COLUMNS_FIRST,
  )

const of = ({ project_id, id }: ModelKey) =>
  sql`project_id = ${bind.string(project_id)} AND model_id = ${bind.string(id)}`

/** The id of a checkpoint; another job that writes the same step gets another id. */
export function checkpointId(jobId: string, step: number): string {
  return derivedId(`checkpoint ${jobId} ${step}`)
}

/** A page of a model's checkpoints by step. @param after a step: starts after it */
export function checkpointList(
  store: Store,
  model: ModelKey,
  { after, order, limit }: { after?: number; order: 'asc' | 'desc'; limit: number },
): Promise<StoredCheckpoint[]> {
  const behind =
    after === undefined
      ? sql``
      : order === 'asc'
        ? sql`AND step > ${bind.uint(after)}`
        : sql`AND step < ${bind.uint(after)}`
  return those(
    store,
    sql`${of(model)} AND ${LIVE} ${behind}
        ORDER BY step ${order === 'asc' ? sql`ASC` : sql`DESC`} LIMIT ${bind.uint(limit)}`,
  )
}

/** The step of a checkpoint, even a deleted one: a page may continue after it. */
export function stepOfCheckpoint(store: Store, model: ModelKey, id: string): Promise<number | undefined> {
  return store.value<number>(
    sql`SELECT step FROM checkpoints WHERE ${of(model)} AND id = ${bind.string(id)} LIMIT 1`,
  )
}

/** The highest step that a model has ever had; 0: none. */
export async function highestStep(store: Store, model: ModelKey): Promise<number> {
  return (await store.value<number>(sql`SELECT max(step) FROM checkpoints WHERE ${of(model)}`)) ?? 0
}

/** The existing checkpoints at `steps`. */
export function checkpointsAt(
  store: Store,
  model: ModelKey,
  steps: readonly number[],
): Promise<StoredCheckpoint[]> {
  return those(store, sql`${of(model)} AND ${LIVE} AND step IN ${bind.uints(steps)}`)
}

/** Checkpoints deleted before `before` (µs since 1970) whose files still exist. */
export function leftFiles(store: Store, before: number, limit: number): Promise<StoredCheckpoint[]> {
  return those(
    store,
    sql`NOT ${LIVE} AND deleted_at < fromUnixTimestamp64Micro(${bind.int(before)})
          AND toUnixTimestamp64Micro(files_deleted_at) = 0 LIMIT ${bind.uint(limit)}`,
  )
}

/** Stores new or changed rows. @param ver µs since 1970, larger than before */
export async function putCheckpoints(
  store: Store,
  rows: readonly StoredCheckpoint[],
  ver: number | bigint,
): Promise<void> {
  await store.insertRows(
    'checkpoints',
    rows.map((row) => ({ ...row, ver: Number(ver) })),
  )
}
