/** SQL for a page of rows: all rows, which of them match, and their order. Pure. */

import type { EvalResultsQuery } from '../../../contract/evaluation-results.js'
import { WAY } from '../../../domain/calls/read/order.js'
import { joinEach } from '../../../domain/expr/bound.js'
import { asText, exists } from '../../../domain/expr/cast.js'
import { compileExpr } from '../../../domain/expr/compile.js'
import { allOf, bind, commaList, ident, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'
import { needsData, trialFields, trialsWithData } from './fields.js'
import { digestedTrials, type KnownRows, type Runs } from './trials.js'

/** A row of data with its trials in the runs. */
export interface PageRow {
  row: string
  /** µs since the epoch of the start, id */
  trials: [number, string][]
  /** bytes of these trials' JSON texts */
  bytes: number
  /** rows that match, over all pages */
  total: number
  /** rows with an unknown digest, matching or not */
  unknown: number
}

type Filter = NonNullable<EvalResultsQuery['filters']>[number]
type Sort = NonNullable<EvalResultsQuery['sort_by']>[number]

/** The number of matching rows, and of rows with an unknown digest. */
export type RowCount = Pick<PageRow, 'total' | 'unknown'>

/** The counts of {@link pageOfRows} over all pages. */
export function countOfRows(
  runs: Runs,
  known: KnownRows,
  asked: EvalResultsQuery,
  projects: readonly string[],
): Sql {
  return sql`SELECT countIf(kept) AS total, countIf(startsWith(row, '?')) AS unknown
  FROM (${judgedRows(runs, known, asked, projects)})`
}

/**
 * The page that `asked` requests.
 * @param projects internal ids of the projects whose datasets may be read
 * @throws 422 for an unknown field
 */
export function pageOfRows(
  runs: Runs,
  known: KnownRows,
  asked: EvalResultsQuery,
  projects: readonly string[],
): Sql {
  const sorts = asked.sort_by ?? []
  const order = commaList([...sorts.flatMap(({ direction }, i) => sortTerms(direction, i)), sql`row`])
  const limit = asked.limit !== null && asked.limit >= 0 ? bind.uint(asked.limit) : bind.uint(ALL)
  const sorted = sorts.flatMap((_, i) => [EXISTS[i]!, NUMBERS[i]!, TEXTS[i]!])
  const counts = sql`countIf(kept) OVER () AS total, countIf(startsWith(row, '?')) OVER () AS unknown`
  return sql`SELECT row, trials, bytes, total, unknown FROM (
    SELECT ${commaList([sql`row, trials, bytes, kept`, ...sorted, counts])} FROM (${judgedRows(runs, known, asked, projects)})
  ) WHERE kept ORDER BY ${order} LIMIT ${limit} OFFSET ${bind.uint(Math.max(0, asked.offset))}`
}

/** Every row of the runs with its trials, its sort values, and whether the filters keep it (`kept`). */
function judgedRows(runs: Runs, known: KnownRows, asked: EvalResultsQuery, projects: readonly string[]): Sql {
  const filters = asked.filters ?? []
  const sorts = asked.sort_by ?? []
  const plain = filters.length === 0 && sorts.length === 0
  const trials = plain
    ? digestedTrials(runs, known)
    : needsData(asked)
      ? trialsWithData(runs, known, projects)
      : digestedTrials(runs, known, [sql`output`], [sql`output`])
  const matches = filters.map(({ query }, i) => ({ $expr: query.$expr, name: MATCHES[i]! }))
  const values = [
    joinEach(matches, ({ $expr, name }) => sql`${compileExpr($expr, trialFields)} AS ${name}`, sql`, `),
    ...sorts.flatMap(({ field }, i) => sortColumns(field, i)),
  ]
  const columns = commaList([sql`id, run, started, row, size`, ...values])
  const groups = [
    ...(asked.require_intersection && runs.ids.length > 1
      ? [sql`uniqExact(run) = ${bind.uint(runs.ids.length)}`]
      : []),
    ...filters.map((filter, i) => matching(filter, i, runs, asked.filter_logic_operator)),
  ]
  const kept = groups.length > 0 ? allOf(groups) : sql`1`
  const sums = sorts.flatMap((sort, i) => sortSums(sort, i))
  return sql`
      SELECT ${commaList([sql`row, groupArray((started, id)) AS trials, sum(size) AS bytes`, sql`(${kept}) AS kept`, ...sums])}
      FROM (SELECT ${columns} FROM (${trials}))
      GROUP BY row
    `
}

const ALL = '9223372036854775807'

/** Names of columns; requests have at most 20 filters or sorts. */
const named = (prefix: string) => Array.from({ length: 20 }, (_, i) => ident(`${prefix}_${i}`))
const MATCHES = named('matches')
const GIVEN = named('given')
const NUMBER = named('number')
const TEXT = named('text')
const EXISTS = named('sort_exists')
const NUMBERS = named('sort_number')
const TEXTS = named('sort_text')

/** A row matches in a run if one of its trials does. */
function matching(
  filter: Filter,
  i: number,
  runs: Runs,
  logic: EvalResultsQuery['filter_logic_operator'],
): Sql {
  const matches = MATCHES[i]!
  if (filter.evaluation_call_id !== null)
    return sql`countIf(run = ${bind.string(filter.evaluation_call_id)} AND ${matches}) > 0`
  if (logic === 'or') return sql`countIf(${matches}) > 0`
  return sql`uniqExactIf(run, ${matches}) = ${bind.uint(runs.ids.length)}`
}

/** The sort values of one trial; a boolean counts as 0 or 1, so that trials have a mean. */
function sortColumns(field: string, i: number): Sql[] {
  const value = trialFields(field)
  if (!value) throw errors.badField(field.slice(0, 200))
  const text = asText(value)
  return [
    sql`${exists(value)} AS ${GIVEN[i]!}`,
    sql`${text} AS ${TEXT[i]!}`,
    sql`multiIf(${TEXT[i]!} = 'true', 1., ${TEXT[i]!} = 'false', 0., toFloat64OrNull(${TEXT[i]!})) AS ${NUMBER[i]!}`,
  ]
}

/** The sort value of a row: the mean over its trials in one run or all, or the spread of the runs' means. */
function sortSums({ evaluation_call_id, mode }: Sort, i: number): Sql[] {
  const given = sql`ifNull(${GIVEN[i]!}, 0)`
  const counts =
    mode === 'value' && evaluation_call_id !== null
      ? sql`${given} AND run = ${bind.string(evaluation_call_id)}`
      : given
  const means = sql`mapValues(avgMapIf(map(run, ifNull(${NUMBER[i]!}, 0)), ${given} AND ${NUMBER[i]!} IS NOT NULL))`
  const number =
    mode === 'value'
      ? sql`avgOrNullIf(${NUMBER[i]!}, ${counts})`
      : sql`if(empty(${means}), NULL, arrayMax(${means}) - arrayMin(${means}))`
  // Where a trial has no value and another has one, something failed: no difference is greater.
  const some = mode === 'value' ? sql`` : sql` + (countIf(${counts}) BETWEEN 1 AND count() - 1)`
  return [
    sql`(countIf(${counts}) > 0)${some} AS ${EXISTS[i]!}`,
    sql`${number} AS ${NUMBERS[i]!}`,
    mode === 'value' ? sql`minIf(${TEXT[i]!}, ${counts}) AS ${TEXTS[i]!}` : sql`'' AS ${TEXTS[i]!}`,
  ]
}

/** Present values come first; numbers are sorted by value, before texts. */
function sortTerms(direction: Sort['direction'], i: number): Sql[] {
  const way = WAY[direction]
  return [sql`${EXISTS[i]!} DESC`, sql`${NUMBERS[i]!} ${way} NULLS LAST`, sql`${TEXTS[i]!} ${way}`]
}
