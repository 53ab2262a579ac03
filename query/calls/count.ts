import { bothTables, rowsOfBoth, single } from '../../domain/calls/read/visible.js'
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
}

/** One row of `count`, and `bytes` if requested. */
export function countStatement({ projectId, conditions, early, limit, sizes }: Count): Sql {
  const total = sizes ? sql`sum(n) AS count, sum(size) AS bytes` : sql`sum(n) AS count`
  const sums = sizes ? sql`count() AS n, sum(bytes) AS size` : sql`count() AS n`
  if (limit !== undefined) {
    const rows = rowsOfBoth(sizes ? sql`bytes` : sql`1`, projectId, conditions)
    return sql`SELECT ${total} FROM (SELECT ${sums} FROM (SELECT * FROM (${rows}) LIMIT ${bind.uint(limit)}))`
  }
  // Counts table by table: without a filter the engine knows the number of whole calls and reads nothing.
  const parts = bothTables((table) => sql`SELECT ${sums} ${single(table, projectId, conditions, early)}`)
  return sql`SELECT ${total} FROM (${parts})`
}
