import { bothTables, everyRow, rowsOfBoth, single } from '../../domain/calls/read/visible.js'
import { unsettledCalls } from '../../domain/calls/unsettled.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

export interface Count {
  projectId: string
  /** all must hold */
  conditions: readonly Sql[]
  /** follow from the conditions, and are checked before them */
  early: readonly Sql[]
  /** the count to stop at; undefined: none */
  limit: number | undefined
  /** also sum the calls' bytes */
  sizes: boolean
}

/** The result row. */
export interface Counted {
  count: number
  bytes?: number
  unsettled: number
}

/**
 * One row of `count`, `bytes` if requested, and `unsettled`: above 0, some calls may have been counted twice.
 * @param once true: counts each call exactly once, which costs more; `unsettled` is 0
 */
export function countStatement({ projectId, conditions, early, limit, sizes }: Count, once: boolean): Sql {
  const unsettled = once || limit !== undefined ? sql`0` : unsettledCalls(projectId)
  const counted = sizes ? sql`sum(n) AS count, sum(size) AS bytes` : sql`sum(n) AS count`
  const total = sql`${counted}, ${unsettled} AS unsettled`
  const sums = sizes ? sql`count() AS n, sum(bytes) AS size` : sql`count() AS n`
  if (limit !== undefined) {
    const rows = rowsOfBoth(sizes ? sql`bytes` : sql`1`, projectId, conditions)
    return sql`SELECT ${total} FROM (SELECT ${sums} FROM (SELECT * FROM (${rows}) LIMIT ${bind.uint(limit)}))`
  }
  const rows = once ? single : everyRow
  // Counts table by table: without a filter the engine knows the number of whole calls and reads nothing.
  const parts = bothTables((table) => sql`SELECT ${sums} ${rows(table, projectId, conditions, early)}`)
  return sql`SELECT ${total} FROM (${parts})`
}
