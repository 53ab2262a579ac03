/** Which projects got calls lately: what watches calls need not look at the others. */
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'

/** Rows become readable up to this long (µs) after the time in their version. */
export const READABLE_WITHIN_US = 30e6

/** How long before it is looked at a call may have begun. */
export const BEGAN_LATELY = sql`started_at >= now64(6) - INTERVAL 1 DAY`

/**
 * When the newest ended call of each of these projects was stored, of those that got one after that time.
 * @param projectIds internal
 * @param after µs since the epoch, as what is returned
 */
export async function newestWrites(
  store: Store,
  projectIds: readonly string[],
  after: number,
): Promise<Map<string, number>> {
  const rows = await store.rows<{ project_id: string; written: string }>(sql`
    SELECT project_id, toString(max(ver)) AS written FROM calls
    WHERE project_id IN ${bind.strings(projectIds)} AND ${BEGAN_LATELY}
      AND ver > toUInt64(${bind.string(String(after))}) GROUP BY project_id`)
  return new Map(rows.map(({ project_id, written }) => [project_id, Number(written)]))
}

/** Of each project the calls stored after a time (µs since the epoch): how many, and when the newest one was. */
export function writtenAfter(after: number): Sql {
  return sql`SELECT project_id, toString(max(ver)) AS newest, toString(count()) AS count FROM calls
    WHERE ${BEGAN_LATELY} AND ver > toUInt64(${bind.string(String(after))}) GROUP BY project_id`
}
