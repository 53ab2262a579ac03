/** The statement that counts calls. Pure. */
import { bind, type Sql, sql } from '../../common/clickhouse/sql.js'
import { bothTables, rowsOfBoth, single } from './page.js'

/**
 * One row of `count` and, where `sizes` is set, `bytes`. A call that is there twice for a moment counts twice.
 * @param limit where to stop; undefined: nowhere
 */
export function countStatement(
  projectId: string,
  conditions: readonly Sql[],
  limit: number | undefined,
  sizes: boolean,
): Sql {
  const total = sizes ? sql`sum(n) AS count, sum(size) AS bytes` : sql`sum(n) AS count`
  const sums = sizes ? sql`count() AS n, sum(bytes) AS size` : sql`count() AS n`
  // Counted table by table: without a filter the engine knows the number and reads nothing.
  if (limit === undefined)
    return sql`SELECT ${total} FROM (${bothTables((table) => sql`SELECT ${sums} ${single(table, projectId, conditions)}`)})`
  const rows = rowsOfBoth(sizes ? sql`bytes` : sql`1`, projectId, conditions)
  return sql`SELECT ${total} FROM (SELECT ${sums} FROM (SELECT * FROM (${rows}) LIMIT ${bind.uint(limit)}))`
}
