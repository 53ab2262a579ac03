/** The results of batches, line by line: a line that is stored again replaces itself. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { nextVersion } from '../../platform/time/versions.js'

/** The result of a line of the input file. */
export interface LineResult {
  batch_id: string
  /** from 1 */
  line: number
  /** 1: there is no answer, so it goes to the errors file */
  failed: 0 | 1
  /** JSON */
  text: string
}

export interface Counts {
  completed: number
  failed: number
}

/** Few rows at once: lines may be long. */
const SMALL_BLOCKS = { settings: { max_block_size: '256' } } as const

/** @param expireAt Unix seconds when the rows go @param project whose rules mask them; empty: none's */
export async function putResults(
  store: Store,
  results: readonly LineResult[],
  expireAt: number,
  project: string,
): Promise<void> {
  const named = results.map((result) => ({ ...result, project_id: project && projectIdOf(project) }))
  const stored = await store.changed('batch_results', named)
  await store.insertRows(
    'batch_results',
    stored.map(({ project_id: _, ...result }) => ({ ...result, ver: nextVersion(), expire_at: expireAt })),
  )
}

/** The lines of a batch that have a result. */
export async function linesDone(store: Store, batchId: string): Promise<Set<number>> {
  const rows = await store.rows<{ line: number }>(
    sql`SELECT DISTINCT line FROM batch_results WHERE batch_id = ${bind.string(batchId)}`,
  )
  return new Set(rows.map(({ line }) => line))
}

/** How many lines of these batches have a result. */
export async function countsOf(store: Store, batchIds: readonly string[]): Promise<Map<string, Counts>> {
  const rows = await store.rows<{ batch_id: string; completed: number; wrong: number }>(
    sql`SELECT batch_id, toUInt32(countIf(failed = 0)) AS completed, toUInt32(countIf(failed = 1)) AS wrong
        FROM batch_results FINAL WHERE batch_id IN ${bind.strings(batchIds)} GROUP BY batch_id`,
  )
  return new Map(rows.map(({ batch_id, completed, wrong }) => [batch_id, { completed, failed: wrong }]))
}

/** The bytes of a file of results. */
export async function resultBytes(store: Store, batchId: string, failed: 0 | 1): Promise<number> {
  const row = await store.row<{ bytes: number }>(
    sql`SELECT toFloat64(sum(length(text) + 1)) AS bytes FROM batch_results FINAL
        WHERE batch_id = ${bind.string(batchId)} AND failed = ${bind.bool(failed === 1)}`,
    SMALL_BLOCKS,
  )
  return row?.bytes ?? 0
}

/** A file of results, in the order of the input's lines. */
export function resultLines(
  store: Store,
  batchId: string,
  failed: 0 | 1,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  return store.stream(
    sql`SELECT text FROM batch_results FINAL
        WHERE batch_id = ${bind.string(batchId)} AND failed = ${bind.bool(failed === 1)} ORDER BY line`,
    'TSVRaw',
    { ...SMALL_BLOCKS, signal },
  )
}

/** Deletes a file of results. */
export async function deleteResults(store: Store, batchId: string, failed: 0 | 1): Promise<void> {
  await store.run(
    sql`DELETE FROM ${store.mutable('batch_results')}
        WHERE batch_id = ${bind.string(batchId)} AND failed = ${bind.bool(failed === 1)}`,
  )
}
