/** Waits for statements that rewrite parts in the background. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from './cluster.js'
import { bind, sql } from './sql.js'
import type { Store } from './store.js'

const LOOK_MS = 300

/**
 * Resolves when no mutation of `table` is running on any replica. Kills one that fails, because ClickHouse would retry
 * it for ever. @throws Error with ClickHouse's message for a failed mutation
 */
export async function mutationsEnd(store: Store, table: Table, signal?: AbortSignal): Promise<void> {
  const these = sql`database = currentDatabase() AND NOT is_done
    AND table IN (${bind.string(table)}, ${bind.string(`${table}_local`)})`
  for (;;) {
    signal?.throwIfAborted()
    const rows = await store.rows<{ reason: string }>(
      sql`SELECT latest_fail_reason AS reason FROM ${store.everywhere('system.mutations')} WHERE ${these}`,
    )
    const failed = rows.find(({ reason }) => reason !== '')
    if (failed) {
      await store.run(sql`KILL MUTATION ${store.onCluster()} WHERE ${these}`)
      throw new Error(`a change of ${table} failed and was taken back: ${failed.reason}`)
    }
    if (rows.length === 0) return
    await sleep(LOOK_MS, undefined, signal ? { signal } : {})
  }
}
