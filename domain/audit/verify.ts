import { streamRows } from '../../platform/clickhouse/row-stream.js'
import { sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { headsIn, untold, Verification, type Verified } from './chain.js'
import type { AuditLine, Head } from './line.js'
import { AUDIT_COLUMNS, headLines } from './table.js'

export interface Checked extends Verified {
  chains: number
}

/**
 * Reads every line.
 * @param noted ends of chains that were noted elsewhere
 * @returns as `heads` those that are worth noting: no line of the log tells of them yet
 */
export async function verifyAudit(
  store: Store,
  noted: readonly Head[],
  options: StatementOptions = {},
): Promise<Checked> {
  const told = headsIn(await headLines(store, options))
  const check = new Verification([...told, ...noted])
  const lines = sql`SELECT ${AUDIT_COLUMNS} FROM audit ORDER BY chain, seq`
  for await (const rows of streamRows<AuditLine>(store, lines, options)) {
    for (const row of rows) check.add(row)
    // Others have their turn between two groups.
    await new Promise(setImmediate)
  }
  const { heads, ...rest } = check.end()
  return { ...rest, chains: heads.length, heads: untold(heads, told) }
}
