/** The table `calls` in statements that read the rows of one project only. Pure. */
import { allOf, bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

/**
 * The table, marked as read for this project's rows only: the embedded engine then does not wait for other rows that
 * were just written. A ClickHouse server ignores the mark, a comment.
 */
export const callsOf = (projectId: string): Sql =>
  sql`calls /* only project_id = ${bind.string(projectId)} */`

/**
 * The table, marked as read for what was written some seconds ago at least: the embedded engine then waits for none of the
 * rows in its log. A ClickHouse server ignores the mark.
 */
export const callsInParts: Sql = sql`calls /* only in parts */`

/** Rows that a statement takes from the embedded engine's log, in the form of its own result. */
export interface FromLog {
  /** the selected columns, in order; sorted by start and id, newest first */
  columns: Sql
  /** of the plain columns that rows must have */
  where: readonly { column: Sql; value: string }[]
  /** µs since the epoch: the statement must ask for rows since then itself, by the same value */
  since: number
  /** µs since the epoch of the last start that rows may have; undefined: any */
  until?: number | undefined
  limit: number
}

/**
 * The same, of which the newest rows may come from the log, before the others and some of them twice: the embedded engine
 * then waits for no row of this project either. The result must be RowBinary.
 */
export function newestCallsOf(projectId: string, { columns, where, since, until, limit }: FromLog): Sql {
  const conditions = allOf(where.map(({ column, value }) => sql`${column} = ${bind.string(value)}`))
  const asked = conditions.empty ? sql`` : sql` WHERE ${conditions}`
  const end = until === undefined ? sql`` : sql` UNTIL ${bind.time(until)}`
  return sql`${callsOf(projectId)} /* first from the log: (${columns})${asked} ORDER BY started_at, id DESC SINCE ${bind.time(since)}${end} LIMIT ${bind.uint(limit)} */`
}

/** Behind a statement with {@link newestCallsOf}: beside the rows of the log it gives others only if `probe` gives a row. */
export const onlyIf = (probe: Sql): Sql => sql`/* only if (${probe}) */`
