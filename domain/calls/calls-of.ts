/** How statements name the table `calls` when they read one project's rows alone. Pure. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

/**
 * The table, and that only this project's rows matter: the embedded engine then waits for no others that were just
 * written. To a ClickHouse server that is a comment.
 */
export const callsOf = (projectId: string): Sql =>
  sql`calls /* only project_id = ${bind.string(projectId)} */`
