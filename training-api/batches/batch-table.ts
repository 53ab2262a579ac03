/** The table of batches: reads, lists and changes rows; one decision at a time changes a batch. Knows no decisions. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Leases } from '../../platform/leases/lease.js'

export type OpenStatus = 'validating' | 'in_progress' | 'cancelling'
export type FinalStatus = 'completed' | 'failed' | 'expired' | 'cancelled'

/** Times are Unix seconds; 0: not yet. */
export interface BatchRow {
  owner: string
  id: string
  key_id: string
  endpoint: string
  input_file_id: string
  /** JSON; empty: none */
  metadata: string
  status: OpenStatus | FinalStatus
  /** JSON; empty: none */
  errors: string
  total: number
  completed: number
  failed: number
  output_file_id: string
  error_file_id: string
  output_seconds: number
  /** `entity/project` where lines are logged as calls; empty: nowhere */
  trace_project: string
  created_at: number
  in_progress_at: number
  expires_at: number
  cancelling_at: number
  ended_at: number
}

/** The key of a batch. */
export type BatchKey = Pick<BatchRow, 'owner' | 'id'>

const SELECT = sql`SELECT owner, id, key_id, endpoint, input_file_id, metadata, status, errors, total, completed, failed,
  output_file_id, error_file_id, output_seconds, trace_project, created_at, in_progress_at, expires_at, cancelling_at, ended_at
  FROM batches FINAL`
const OPEN = ['validating', 'in_progress', 'cancelling']

export const isOpen = ({ status }: Pick<BatchRow, 'status'>) => OPEN.includes(status)

export function batchRow(store: Store, { owner, id }: BatchKey): Promise<BatchRow | undefined> {
  return store.row<BatchRow>(
    sql`${SELECT} WHERE owner = ${bind.string(owner)} AND id = ${bind.string(id)} LIMIT 1`,
  )
}

/** Batches that have not ended, the oldest first: of one key, over one file, or all. */
export function openBatches(
  store: Store,
  of: { keyId?: string; inputFile?: string } = {},
): Promise<BatchRow[]> {
  const is = (name: Sql, value: string | undefined) =>
    value === undefined ? sql`` : sql`AND ${name} = ${bind.string(value)}`
  return store.rows<BatchRow>(
    sql`${SELECT} WHERE status IN ${bind.strings(OPEN)} ${is(sql`key_id`, of.keyId)} ${is(sql`input_file_id`, of.inputFile)}
        ORDER BY id`,
  )
}

/** A page of the batches of an owner, the newest first. @param after an id: starts after it */
export function batchList(
  store: Store,
  owner: string,
  after: string | undefined,
  limit: number,
): Promise<BatchRow[]> {
  const from = after === undefined ? sql`` : sql`AND id < ${bind.string(after)}`
  return store.rows<BatchRow>(
    sql`${SELECT} WHERE owner = ${bind.string(owner)} ${from} ORDER BY id DESC LIMIT ${bind.uint(limit)}`,
  )
}

/** Stores a row. @param ver µs since 1970 @param expireAt Unix seconds when the row goes; undefined: never */
export async function putBatch(
  store: Store,
  row: BatchRow,
  ver: bigint | number,
  expireAt?: number,
): Promise<void> {
  await store.insertRows('batches', [
    { ...row, ver: Number(ver), ...(expireAt !== undefined && { expire_at: expireAt }) },
  ])
}

/**
 * Changes an open batch: `decide` gets the current row and returns the new one, or undefined to leave it.
 * @returns the row afterwards; undefined if there is none
 */
export function changeBatch(
  { store, leases }: { store: Store; leases: Leases },
  key: BatchKey,
  decide: (row: BatchRow) => BatchRow | undefined,
): Promise<BatchRow | undefined> {
  return leases.hold(`batch-row ${key.id}`, async (fence) => {
    const before = await batchRow(store, key)
    const after = before && isOpen(before) ? decide(before) : undefined
    if (!after) return before
    await putBatch(store, after, fence, isOpen(after) ? undefined : after.ended_at + after.output_seconds)
    return after
  })
}
