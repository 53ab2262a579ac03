/** Which projects got calls lately: what watches calls need not look at the others. */
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'

/** How long before it is looked at a call may have begun. */
export const BEGAN_LATELY = sql`started_at >= now64(6) - INTERVAL 1 DAY`

/** The projects among these that have ended calls stored after that time (µs), each with the newest one's. */
export function writtenProjects(projectIds: readonly string[], after: string): Sql {
  return sql`SELECT project_id, toString(max(ver)) AS written FROM calls
    WHERE project_id IN ${bind.strings(projectIds)} AND ${BEGAN_LATELY} AND ver > toUInt64(${bind.string(after)}) GROUP BY project_id`
}
