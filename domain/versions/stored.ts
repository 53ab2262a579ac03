/**
 * Versions of rows that a store holds already. A machine's clock may be behind them: it was set back, or the store comes
 * from another machine. What a process stores then must be newer all the same.
 */
import { TABLES } from '../../platform/clickhouse/cluster.js'
import { bind, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { versions } from '../../platform/time/versions.js'
import { changedAt } from '../feedback/version.js'

const VER = sql`ver`
/** What is no time as it is; undefined: rows that are only ever added. */
const OTHER: Record<string, Sql | undefined> = {
  feedback: changedAt(VER),
  annotation_queue_items: undefined,
}

/** Makes all versions that this process gives larger than those in `store`. @throws what the store throws */
export async function startAboveStored(store: Store): Promise<void> {
  const tables = await store.rows<{ found: string }>(sql`
    SELECT table AS found FROM system.columns
    WHERE database = currentDatabase() AND name = 'ver' AND table IN ${bind.strings(TABLES)}`)
  const now = bind.uint(Date.now() * 1000)
  // The condition lets the index of calls leave nearly all of them out.
  const parts = tables.flatMap(({ found: name }) => {
    const version = Object.hasOwn(OTHER, name) ? OTHER[name] : VER
    return version
      ? [sql`SELECT max(${version}) AS newest FROM ${ident(name)} WHERE ${version} > ${now}`]
      : []
  })
  if (parts.length === 0) return
  const all = parts.reduce((one, other) => sql`${one} UNION ALL ${other}`)
  const row = await store.row<{ most: string }>(sql`SELECT toString(max(newest)) AS most FROM (${all})`)
  versions.startAbove(Number(row?.most ?? 0))
}
