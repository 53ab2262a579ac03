/** Waits for statements that rewrite parts in the background. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from './cluster.js'
import { bind, sql } from './sql.js'
import type { Store } from './store.js'

const LOOK_MS = 300
/** How long a mutation may fail for lack of memory: ClickHouse tries again, and others may free some meanwhile. */
const SHORT_OF_MEMORY_MS = 600_000
const MEMORY_LIMIT = /^Code: 241\b/

/**
 * Resolves when no mutation of `table` is running on any replica. Kills one that fails, because ClickHouse would retry
 * it for ever.
 * @param left is told, at each look, for how many parts mutations still have to run
 * @throws Error with ClickHouse's message for a failed mutation
 */
export async function mutationsEnd(
  store: Store,
  table: Table,
  signal?: AbortSignal,
  left?: (parts: number) => void,
): Promise<void> {
  const these = sql`database = currentDatabase() AND NOT is_done
    AND table IN (${bind.string(table)}, ${bind.string(`${table}_local`)})`
  const deadline = performance.now() + SHORT_OF_MEMORY_MS
  for (;;) {
    signal?.throwIfAborted()
    const rows = await store.rows<{ reason: string; parts: number }>(
      sql`SELECT latest_fail_reason AS reason, toFloat64(parts_to_do) AS parts FROM ${store.everywhere('system.mutations')} WHERE ${these}`,
    )
    const mayPass = performance.now() < deadline
    const failed = rows.find(({ reason }) => reason !== '' && !(mayPass && MEMORY_LIMIT.test(reason)))
    if (failed) {
      await store.run(sql`KILL MUTATION ${store.onCluster()} WHERE ${these}`)
      throw new Error(`a change of ${table} failed and was taken back: ${failed.reason}`)
    }
    if (rows.length === 0) return
    left?.(rows.reduce((sum, { parts }) => sum + parts, 0))
    await sleep(LOOK_MS, undefined, signal ? { signal } : {})
  }
}
