/** Groups of agents' spans, and pages of lists of them. Pure. */
import { COUNTS } from '../../domain/calls/one-answer.js'
import { type Statistics, statistics } from '../../domain/calls/read/statistics.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { TOOK_MICROS } from './fields.js'
import { spansOf, type Window } from './identity.js'

/** {@link statistics} of the spans that match `conditions`. */
export const grouped = (
  window: Window,
  { conditions, ...asked }: Omit<Statistics, 'from'> & { conditions: readonly Sql[] },
): Sql => statistics({ ...asked, from: (selected) => spansOf(window, conditions, selected) })

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
