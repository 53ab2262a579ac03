/** The table `calls` in statements that read the rows of one project only. Pure. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

/**
 * The table, marked as read for this project's rows only: the embedded engine then does not wait for other rows that
 * were just written. A ClickHouse server ignores the mark, a comment.
 */
export const callsOf = (projectId: string): Sql =>
  sql`calls /* only project_id = ${bind.string(projectId)} */`
