/** How far each chain of the audit log was sent elsewhere, and what was not. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { AuditLine } from './line.js'
import { AUDIT_COLUMNS, type AuditRow, lineOf } from './table.js'

/** @param cursors the last line of each chain that arrived */
export async function keepCursors(store: Store, cursors: ReadonlyMap<string, number>): Promise<void> {
  const ver = nextVersion()
  await store.insertRows(
    'audit_cursors',
    [...cursors].map(([chain, seq]) => ({ chain, seq, ver })),
  )
}

/**
 * Lines that have not arrived, chain by chain.
 * @param since µs since the epoch: those that were written earlier are not looked at
 */
export async function linesAfter(store: Store, since: number, limit: number): Promise<AuditLine[]> {
  const rows = await store.rows<AuditRow>(sql`
    SELECT ${AUDIT_COLUMNS} FROM audit
    LEFT ANY JOIN (SELECT chain AS known, seq AS sent FROM audit_cursors FINAL) AS cursors ON audit.chain = cursors.known
    WHERE at >= fromUnixTimestamp64Micro(${bind.time(since)}, 'UTC') AND seq > sent
    ORDER BY chain, seq LIMIT ${bind.uint(limit)}`)
  return rows.map(lineOf)
}
