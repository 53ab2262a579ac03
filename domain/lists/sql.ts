/** ORDER BY and LIMIT clauses of list statements. Pure. */
import { bind, commaList, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Direction, Term } from '../expr/order.js'

/**
 * ORDER BY terms for a request's sort order; ignores fields that the list can't be sorted by.
 * @param columns columns by their names in requests
 */
export function columnTerms(
  sortBy: readonly { field: string; direction: Direction }[],
  columns: ReadonlyMap<string, Sql>,
): Term[] {
  return sortBy.flatMap(({ field, direction }) => {
    const value = columns.get(field)
    return value ? [{ value, direction }] : []
  })
}

/** The terms after ORDER BY. @param last breaks ties, so that pages never overlap */
export function orderBy(terms: readonly Term[], last: readonly Sql[]): Sql {
  const asked = terms.map(({ value, direction }) => (direction === 'desc' ? sql`${value} DESC` : value))
  return commaList([...asked, ...last])
}

/** LIMIT and OFFSET, each with a leading space. A negative limit means none. */
export function pageOf(limit: number | null, offset: number | null): Sql {
  const from = Math.max(0, offset ?? 0)
  const rows = limit !== null && limit >= 0 ? sql` LIMIT ${bind.uint(limit)}` : sql``
  return from > 0 ? sql`${rows} OFFSET ${bind.uint(from)}` : rows
}
