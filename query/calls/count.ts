/** The statement that counts calls. Pure. */
import { bind, type Sql, sql } from '../../common/clickhouse/sql.js'
import { bothTables, visible } from './page.js'

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
  const sums = sizes ? sql`count() AS n, sum(bytes) AS size` : sql`count() AS n`
  const total = sizes ? sql`sum(n) AS count, sum(size) AS bytes` : sql`sum(n) AS count`
  if (limit === undefined)
    return sql`SELECT ${total} FROM (${bothTables((table) => sql`SELECT ${sums} ${visible(table, projectId, conditions)}`)})`
  const most = sql`LIMIT ${bind.uint(limit)}`
  const rows = bothTables(
    (table) =>
      sql`SELECT * FROM (SELECT ${sizes ? sql`bytes` : sql`1`} ${visible(table, projectId, conditions)} ${most})`,
  )
  const both = sizes ? sql`count() AS count, sum(bytes) AS bytes` : sql`count() AS count`
  return sql`SELECT ${both} FROM (SELECT * FROM (${rows}) ${most})`
}
