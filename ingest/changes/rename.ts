/**
 * Gives a call another display name, in place: a patch of one column. The name is noted, too: a call that is sent again
 * replaces the one that was renamed, and clients that send calls in the background may rename one before they send it.
 */
import { callsOf } from '../../domain/calls/calls-of.js'
import { pieces } from '../../platform/clickhouse/pieces.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nextVersion } from '../../platform/time/versions.js'
import { exactly, type Id, ROWS, weightOf } from '../merge/stored.js'

/** Names the call `id`, running, whole or not stored yet; '' takes the name away. */
export async function renameCall(store: Store, projectId: string, id: string, given: string): Promise<void> {
  const [row] = await store.changed('call_names', [{ project_id: projectId, id, name: given }])
  const { name } = row!
  const where = sql`project_id = ${bind.string(projectId)} AND id = ${bind.string(id)}`
  // A patch costs the table something whether it finds a row or not.
  const found = await store.row<{ open: number; whole: number }>(sql`SELECT
    (SELECT count() FROM calls_open WHERE ${where} AND ${STARTED}) > 0 AS open,
    (SELECT count() FROM ${callsOf(projectId)} WHERE ${where}) > 0 AS whole`)
  await store.run(sql`INSERT INTO call_names (project_id, id, name, ver)
    SELECT ${bind.string(projectId)}, ${bind.string(id)}, ${bind.string(name)}, ${bind.uint(nextVersion())}`)
  if (found?.open || found?.whole) await change(store, where, bind.string(name), found.open > 0)
}

/** Gives those of these calls their names that were renamed before they were stored, or stored again. */
export async function keepNames(store: Store, calls: readonly Id[]): Promise<void> {
  for (const some of pieces(calls, ROWS, weightOf)) {
    const named = await store.rows<Id & { name: string }>(sql`
      SELECT project_id AS projectId, id, argMax(call_names.name, ver) AS name FROM call_names
      WHERE ${exactly(some)} GROUP BY project_id, id`)
    if (named.length === 0) continue
    const keys = bind.strings(named.map(({ projectId, id }) => `${projectId} ${id}`))
    const names = bind.strings(named.map(({ name }) => name))
    await change(store, exactly(named), sql`${names}[indexOf(${keys}, concat(project_id, ' ', id))]`, true)
  }
}

const STARTED = sql`kind = 'start'`

/** The open half first: a call that is whole by now is found by the second statement. */
async function change(
  store: Store,
  where: Sql,
  name: Parameters<typeof sql>[1],
  open: boolean,
): Promise<void> {
  const set = (table: 'calls_open' | 'calls', which: Sql) =>
    store.run(sql`UPDATE ${store.mutable(table)} SET display_name = ${name!} WHERE ${which}`)
  if (open) await set('calls_open', sql`${where} AND ${STARTED}`)
  await set('calls', where)
}
