/** Counts by day of Langfuse's SDKs: the statement, and its rows as days. Pure. */
import type { DailyQuery, LangfuseDay } from '../../../contract/langfuse-metrics.js'
import { bind, commaList, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { conditionOf } from '../query/column.js'
import { sourceOf } from './source.js'

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

export function dailyStatement(project: string, query: DailyQuery): Sql {
  const { traceName, userId, tags, environment, fromTimestamp, toTimestamp } = query
  const range = { project, from: fromTimestamp ?? LONG_AGO, to: toTimestamp ?? FAR_AWAY }
  const [calls, roots] = [sourceOf('observations', range), sourceOf('traces', range)]
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
