/** Counts by day of Langfuse's SDKs: the statement, and its rows as days. Pure. */
import type { DailyQuery, LangfuseDay } from '../../../contract/langfuse-metrics.js'
import type { SpanPlaces } from '../../../domain/calls/span-places.js'
import { bind, commaList, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { conditionOf } from '../query/column.js'
import { type Range, sourceOf } from './source.js'

/** A day, or a model of a day; those of a day follow it. */
export interface DayRow {
  date: string
  model: string
  whole: number
  input: number
  output: number
  total: number
  cost: number
  traces: number
  observations: number
}

const LONG_AGO = '1970-01-01T00:00:00Z'
const FAR_AWAY = '2200-01-01T00:00:00Z'
/** Rows of an answer: more are left out, the oldest days first. */
const MOST_ROWS = 50_000

const rangeOf = (
  project: string,
  { fromTimestamp, toTimestamp }: DailyQuery,
  places: SpanPlaces | undefined,
): Range => ({ project, from: fromTimestamp ?? LONG_AGO, to: toTimestamp ?? FAR_AWAY, places })

/** The days with observations, newest first. */
export function datesStatement(project: string, query: DailyQuery, places?: SpanPlaces): Sql {
  const { calls, conditions } = chosen(rangeOf(project, query, places), query)
  return sql`SELECT DISTINCT toString(toDate(started_at, 'UTC')) AS date
    FROM (${calls.rows(sql`started_at`, conditions)}) ORDER BY date DESC LIMIT ${bind.uint(MOST_ROWS)}`
}

/** The range as far as it is of some days, both included. */
function ofDays(range: Range, first: string, last: string): Range {
  const from = Date.parse(first)
  const to = Date.parse(last) + 86_400_000
  return {
    ...range,
    ...(from > Date.parse(range.from) && { from: new Date(from).toISOString() }),
    ...(to < Date.parse(range.to) && { to: new Date(to).toISOString() }),
  }
}

/** Observations of a query, and the conditions on them. @param range of their traces @param own of themselves */
function chosen(range: Range, { traceName, userId, tags, environment }: DailyQuery, own = range) {
  const [calls, roots] = [sourceOf('observations', own), sourceOf('traces', range)]
  const ofTraces = [
    ...(traceName === undefined ? [] : [{ column: 'name', operator: '=', value: traceName }]),
    ...(userId === undefined ? [] : [{ column: 'userId', operator: '=', value: userId }]),
    ...(tags === undefined ? [] : [{ column: 'tags', operator: 'all of', value: tags }]),
  ].map((filter) => conditionOf(roots, filter))
  const conditions = [
    ...(ofTraces.length === 0 ? [] : [sql`trace_id IN (${roots.rows(sql`trace_id`, ofTraces)})`]),
    ...(environment === undefined
      ? []
      : [conditionOf(calls, { column: 'environment', operator: 'any of', value: environment })]),
  ]
  return { calls, conditions }
}

/** @param dates those that are shown, newest first: all with observations between the first and the last */
export function dailyStatement(
  project: string,
  query: DailyQuery,
  dates: readonly string[],
  places?: SpanPlaces,
): Sql {
  const range = rangeOf(project, query, places)
  const { calls, conditions } = chosen(range, query, ofDays(range, dates.at(-1)!, dates[0]!))
  const value = (name: string) => calls.columns.get(name)!.sql
  const cost = calls.measures.get('totalCost')!
  // None may have the name of a column of calls, which conditions read.
  const columns = [
    sql`toDate(started_at, 'UTC') AS day, trace_id, ${value('providedModelName')} AS model`,
    sql`${value('inputTokens')} AS used_in, ${value('outputTokens')} AS used_out, ${value('totalTokens')} AS used`,
    sql`${'value' in cost ? cost.value : sql`0`} AS cost`,
  ]
  return sql`${calls.prices}SELECT toString(day) AS date, model, grouping(model) AS whole,
      sum(used_in) AS input, sum(used_out) AS output, sum(used) AS total, ifNull(sum(cost), 0) AS cost,
      uniqExact(trace_id) AS traces, count() AS observations
    FROM (${calls.rows(commaList(columns), conditions)}) GROUP BY GROUPING SETS ((day, model), (day))
    ORDER BY date DESC, whole DESC, total DESC, model LIMIT ${bind.uint(MOST_ROWS)}`
}

/** The days of rows in their order. */
export function daysOf(rows: readonly DayRow[]): LangfuseDay[] {
  const days: LangfuseDay[] = []
  for (const { date, model, whole, input, output, total, cost, traces, observations } of rows) {
    const counts = { countTraces: traces, countObservations: observations, totalCost: cost }
    if (whole) days.push({ date, ...counts, usage: [] })
    else
      days.at(-1)?.usage.push({
        ...{ model: model || null, inputUsage: input, outputUsage: output, totalUsage: total },
        ...counts,
      })
  }
  return days
}
