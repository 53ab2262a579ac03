/**
 * Versions of rows that a store holds already. A machine's clock may be behind them: it was set back, or the store comes
 * from another machine. What a process stores then must be newer all the same.
 */
import { TABLES } from '../../platform/clickhouse/cluster.js'
import { bind, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { versions } from '../../platform/time/versions.js'
import { changedAt } from '../feedback/version.js'

/** Larger ones are no times, and none may follow them: revoked keys have such, and rows of which the first one stays. */
const LAST = bind.uint(Number.MAX_SAFE_INTEGER)
const VER = sql`ver`
const versionIn = (table: string): Sql => (table === 'feedback' ? changedAt(VER) : VER)

/** Makes all versions that this process gives larger than those in `store`. @throws what the store throws */
export async function startAboveStored(store: Store): Promise<void> {
  const tables = await store.rows<{ found: string }>(sql`
    SELECT table AS found FROM system.columns
    WHERE database = currentDatabase() AND name = 'ver' AND table IN ${bind.strings(TABLES)}`)
  const now = bind.uint(Date.now() * 1000)
  // The condition lets the index of calls leave nearly all of them out.
  const parts = tables.map(({ found: name }) => {
    const version = versionIn(name)
    return sql`SELECT max(${version}) AS newest FROM ${ident(name)} WHERE ${version} > ${now} AND ${version} <= ${LAST}`
  })
  if (parts.length === 0) return
  const all = parts.reduce((one, other) => sql`${one} UNION ALL ${other}`)
  const row = await store.row<{ most: string }>(sql`SELECT toString(max(newest)) AS most FROM (${all})`)
  versions.startAbove(Number(row?.most ?? 0))
}
