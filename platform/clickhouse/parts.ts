/** Unreadable parts of tables: those that the store has already detached, and those not noticed yet. */
import { bind, ident, type Sql, sql } from './sql.js'
import type { Store } from './store.js'

export interface Part {
  table: string
  name: string
}

/** Parts that the store found broken and detached, so their rows are missing; on a cluster, those of one node. */
export function brokenParts(store: Store): Promise<Part[]> {
  return store.rows<Part>(sql`SELECT table, name FROM system.detached_parts
    WHERE database = currentDatabase() AND ${isBroken} ORDER BY table, name`)
}

/** Excludes parts that a replica leaves behind when it fetches or clones, and those that an operator detached. */
const isBroken: Sql = sql`(startsWith(ifNull(reason, ''), 'broken') OR reason IN ('unexpected', 'noquorum'))`

/** Reads every part and verifies its checksums. */
export async function* unreadableParts(store: Store): AsyncGenerator<Part> {
  const tables = await store.rows<{ name: string }>(sql`SELECT name FROM system.tables
    WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name`)
  for (const { name: table } of tables) {
    const parts = await store.rows<{ part_path: string; is_passed: boolean | number }>(
      sql`CHECK TABLE ${ident(table)} SETTINGS check_query_single_value_result = 0`,
    )
    for (const part of parts) if (!part.is_passed) yield { table, name: part.part_path }
  }
}

/** Detaches a part from its table; its files stay in the table's folder `detached`. */
export async function setAside(store: Store, { table, name }: Part): Promise<void> {
  await store.run(sql`ALTER TABLE ${ident(table)} DETACH PART ${bind.string(name)}`)
}

/** A readable list such as `calls: all_1_1_0`, with at most `most` parts. */
export function namesOf(parts: readonly Part[], most = 5): string {
  const shown = parts.slice(0, most).map(({ table, name }) => `${table}: ${name}`)
  return shown.join(', ') + (parts.length > most ? ` and ${parts.length - most} more` : '')
}
