/** Which projects got calls lately: what watches calls need not look at the others. */
import { bind, sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'

/** Rows become readable up to this long (µs) after the time in their version. */
export const READABLE_WITHIN_US = 30e6

/** How long before it is looked at a call may have begun. */
export const BEGAN_LATELY = sql`started_at >= now64(6) - INTERVAL 1 DAY`

/** What a project got lately. */
export interface Written {
  projectId: string
  /** when the newest ended call was stored, µs since the epoch */
  newest: number
  count: number
}

/**
 * The projects that got ended calls after a time, with what they got.
 * @param after µs since the epoch
 * @param projectIds internal; default: all
 */
export async function writtenAfter(
  store: Store,
  after: number,
  projectIds?: readonly string[],
): Promise<Written[]> {
  const among = projectIds === undefined ? sql`` : sql`project_id IN ${bind.strings(projectIds)} AND `
  const rows = await store.rows<{ project_id: string; newest: string; count: string }>(sql`
    SELECT project_id, toString(max(ver)) AS newest, toString(count()) AS count FROM calls
    WHERE ${among}${BEGAN_LATELY} AND ver > toUInt64(${bind.string(String(after))}) GROUP BY project_id`)
  return rows.map(({ project_id: projectId, newest, count }) => ({
    ...{ projectId, newest: Number(newest), count: Number(count) },
  }))
}

/** When the newest ended call of each of these projects was stored, of those that got one after that time (µs). */
export async function newestWrites(
  store: Store,
  projectIds: readonly string[],
  after: number,
): Promise<Map<string, number>> {
  const written = await writtenAfter(store, after, projectIds)
  return new Map(written.map(({ projectId, newest }) => [projectId, newest]))
}
