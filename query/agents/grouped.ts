/** The one statement that groups agents' spans and aggregates them, and pages of its rows. Pure. */
import { COUNTS } from '../../domain/calls/one-answer.js'
import { allOf, bind, commaList, ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { TOOK_MICROS } from './fields.js'
import { spansOf, type Window } from './identity.js'

/** Groups of the spans that match `conditions`. */
export interface Grouping {
  /** the values of groups, by the columns of the result */
  keys: readonly (readonly [column: string, value: Sql])[]
  /** aggregates, with their columns */
  columns: readonly Sql[]
  conditions: readonly Sql[]
  /** conditions on groups; default: none */
  having?: readonly Sql[]
}

/** Names as columns, in order. */
export const columnsNamed = (names: readonly string[]): Sql => commaList(names.map(ident))

/** A row for each group: its keys and aggregates. */
export function grouped(window: Window, { keys, columns, conditions, having = [] }: Grouping): Sql {
  const selected = commaList([
    ...keys.map(([column, value]) => sql`${value} AS ${ident(column)}`),
    ...columns,
  ])
  const limits = having.length === 0 ? sql`` : sql` HAVING ${allOf(having)}`
  const by = columnsNamed(keys.map(([column]) => column))
  return sql`SELECT ${selected} ${spansOf(window, conditions, join([selected, limits], sql` `))} GROUP BY ${by}${limits}`
}

/** What all lists of groups show. Times are µs since the epoch. */
export const SUMS = sql`countIf(operation_name = 'invoke_agent') AS invocation_count, count() AS span_count,
  sumIf(input_tokens, ${COUNTS}) AS total_input_tokens, sumIf(output_tokens, ${COUNTS}) AS total_output_tokens, sum(${TOOK_MICROS}) AS took,
  countIf(span_status = 2) AS error_count, min(toUnixTimestamp64Micro(started_at)) AS first,
  max(toUnixTimestamp64Micro(started_at)) AS last`

interface Range {
  offset: number
  limit: number
}

/** A page of `rows` in `order`: {@link pageOf} takes them apart. */
export function paged(rows: Sql, order: Sql, { offset, limit }: Range): Sql {
  // The first row is always read, as it has the total.
  return sql`SELECT * FROM (
    SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY ${order}) AS place FROM (
      ${rows}))
  WHERE place = 1 OR (place > ${bind.uint(offset)} AND place <= ${bind.uint(offset + limit)}) ORDER BY place`
}

/** What {@link paged} adds to a row. */
export interface Placed {
  total: number
  place: number
}

/** The rows of a page, and how many there are in all. */
export function pageOf<Row extends Placed>(
  found: readonly Row[],
  { offset, limit }: Range,
): { page: Row[]; total: number } {
  const page = found.filter(({ place }) => place > offset && place <= offset + limit)
  return { page, total: found[0]?.total ?? 0 }
}
