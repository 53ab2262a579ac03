/** The statement that counts calls. Pure. */

import { bothTables, rowsOfBoth, single, visible } from '../../domain/calls/read/page.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

export interface Count {
  /** internal id */
  projectId: string
  /** all must hold */
  conditions: readonly Sql[]
  /** follow from the conditions, and are looked at before them */
  early: readonly Sql[]
  /** where to stop; undefined: nowhere */
  limit: number | undefined
  /** also what the calls hold */
  sizes: boolean
}

/** One row of `count` and, where asked for, `bytes`. A call that is both whole and open for a moment counts twice. */
export function countStatement({ projectId, conditions, early, limit, sizes }: Count): Sql {
  const total = sizes ? sql`sum(n) AS count, sum(size) AS bytes` : sql`sum(n) AS count`
  const sums = sizes ? sql`count() AS n, sum(bytes) AS size` : sql`count() AS n`
  if (limit !== undefined) {
    const rows = rowsOfBoth(sizes ? sql`bytes` : sql`1`, projectId, conditions)
    return sql`SELECT ${total} FROM (SELECT ${sums} FROM (SELECT * FROM (${rows}) LIMIT ${bind.uint(limit)}))`
  }
  // Counted table by table: without a filter the engine knows the number of whole calls and reads nothing. Of running
  // ones, numbers are told apart faster than texts; by chance, two of a million are the same once in 40 million times.
  const parts = bothTables((table) =>
    table === 'calls' || sizes
      ? sql`SELECT ${sums} ${single(table, projectId, conditions, early)}`
      : sql`SELECT uniqExact(cityHash64(id)) AS n ${visible(table, projectId, conditions, early)}`,
  )
  return sql`SELECT ${total} FROM (${parts})`
}
