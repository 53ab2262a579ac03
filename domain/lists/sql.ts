/** The ends of statements that list things: in what order, and which part. Knows no table. Pure. */
import { bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Direction, Term } from '../expr/order.js'

/**
 * Terms of ORDER BY for what a request sorts by; clients may name fields that a list can't be sorted by, which say
 * nothing.
 * @param columns by the names that requests have for them
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

/** What comes after ORDER BY. @param last what decides where `terms` do not, so that pages never overlap */
export function orderBy(terms: readonly Term[], last: readonly Sql[]): Sql {
  const asked = terms.map(({ value, direction }) => (direction === 'desc' ? sql`${value} DESC` : value))
  return join([...asked, ...last], sql`, `)
}

/** LIMIT and OFFSET, with a space before each. A negative limit is none. */
export function pageOf(limit: number | null, offset: number | null): Sql {
  const from = Math.max(0, offset ?? 0)
  const rows = limit !== null && limit >= 0 ? sql` LIMIT ${bind.uint(limit)}` : sql``
  return from > 0 ? sql`${rows} OFFSET ${bind.uint(from)}` : rows
}
