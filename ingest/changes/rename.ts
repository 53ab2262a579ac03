/** Gives a stored call another display name, in place: a patch of one column. Knows nothing of requests. */
import { callsOf } from '../../domain/calls/calls-of.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'

/** Names the call `id`, running or whole; '' takes the name away. An unknown call is left unknown. */
export async function renameCall(store: Store, projectId: string, id: string, name: string): Promise<void> {
  const where = sql`project_id = ${bind.string(projectId)} AND id = ${bind.string(id)}`
  const started = sql`kind = 'start' AND ${where}`
  // A patch costs the table something whether it finds a row or not.
  const found = await store.row<{ open: number; whole: number }>(sql`SELECT
    (SELECT count() FROM calls_open WHERE ${started}) > 0 AS open,
    (SELECT count() FROM ${callsOf(projectId)} WHERE ${where}) > 0 AS whole`)
  const change = (table: 'calls_open' | 'calls', which: typeof where) =>
    store.run(sql`UPDATE ${store.mutable(table)} SET display_name = ${bind.string(name)} WHERE ${which}`)
  // The open half first: a call that is whole by now is found by the second statement.
  if (found?.open) await change('calls_open', started)
  if (found?.open || found?.whole) await change('calls', where)
}
