/** Statistics of agents' spans over time: the statement, and its rows as an answer. Pure. */
import type { Scalar } from '../../contract/agent-span.js'
import type {
  AgentSpanStatsColumn,
  AgentSpanStatsMetricSpec,
  AgentSpanStatsReq,
} from '../../contract/agent-stats.js'
import { type Span, wrong } from '../../domain/calls/read/span.js'
import { aggregatesOf, columnsNamed, inBucket, measured } from '../../domain/calls/read/statistics.js'
import { bind, commaList, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { withPrices } from './costs.js'
import { spanField } from './fields.js'
import { grouped } from './grouped.js'
import { bounded } from './groups.js'
import type { Window } from './identity.js'
import {
  aggregated,
  checkAggregation,
  checkType,
  type GroupKey,
  groupKeys,
  keyColumns,
  measure,
  typeOf,
  valueAt,
} from './measures.js'
import { insightConditions, signalConditions } from './signals.js'
import { matches } from './spans.js'

export interface Metric {
  column: AgentSpanStatsColumn
  aggregate: Sql
  /** the value if there are no spans */
  empty: 0 | null
  isTime: boolean
}

const MOST_ROWS = 10_000

/** The columns for a request's metrics. @throws 422, 400 */
export function metricsOf(specs: readonly AgentSpanStatsMetricSpec[], window: Window): Metric[] {
  const names = specs.map(({ alias }) => alias)
  if (new Set(names).size < names.length) throw wrong('metrics', 'aliases should differ')
  return specs.flatMap((spec) => {
    const value = valueAt(spec.value, window)
    const type = typeOf(value)
    checkType(spec.value, value, spec.value_type)
    const asked = spec.aggregations.length > 0 || spec.percentiles.length > 0
    const aggregations = asked
      ? spec.aggregations
      : [type === 'number' ? ('sum' as const) : ('count' as const)]
    if (spec.percentiles.length > 0 && type !== 'number')
      throw wrong('metrics', 'percentiles are for numbers')
    for (const aggregation of aggregations) checkAggregation(aggregation, type, 'metrics')
    const found = aggregatesOf(aggregations, spec.percentiles, () => aggregated(value))
    return found.map(({ name: asked, aggregate, empty }): Metric => {
      const name = asked.replace('.', '_')
      const isValue = name === 'min' || name === 'max'
      return {
        column: columnOf(`${name}_${spec.alias}`, isValue ? type : 'number', spec.alias, name),
        aggregate: name === 'sum' ? sql`ifNull(${aggregate}, 0)` : aggregate,
        empty,
        isTime: isValue && type === 'datetime',
      }
    })
  })
}

function columnOf(
  name: string,
  value_type: AgentSpanStatsColumn['value_type'],
  metric: string,
  aggregation: string,
): AgentSpanStatsColumn {
  return { name, role: 'metric', value_type, metric, aggregation }
}

/** The conditions for a request's spans. @throws 400, 422 */
export function conditionsOf(request: AgentSpanStatsReq, window: Window): Sql[] {
  const { query, group_filters, group_by, signal_filters, insight_filters } = request
  if (group_by?.length && group_filters.length > 0)
    throw wrong('group_filters', 'group_by and group_filters exclude each other')
  const own = matches(query, window)
  const filters = group_filters.map((filter) => {
    const refs = filter.group_by?.length
      ? filter.group_by
      : [{ source: 'field' as const, key: 'conversation_id' }]
    const keys = groupKeys(refs, window).map(
      ({ value }, i) => [`k${i}`, sql`toString(${value.sql})`] as const,
    )
    const having = bounded(filter, measure(filter.measure, window, 'group_filters'))
    const values = commaList(keys.map(([, value]) => value))
    return sql`(${values}) IN (${grouped(window, { keys, columns: [], conditions: own, having })})`
  })
  const conversation = () => spanField('conversation_id', window)!.sql
  return [
    ...own,
    ...filters,
    ...insightConditions(insight_filters),
    ...(signal_filters == null ? [] : signalConditions(signal_filters, window.projectId, conversation())),
  ]
}

export interface StatsPlan {
  keys: readonly GroupKey[]
  metrics: readonly Metric[]
  statement: Sql
}

/** One row per bucket and group with spans; only the largest groups are kept. */
export function statsPlan(request: AgentSpanStatsReq, span: Span, window: Window): StatsPlan {
  if (request.metrics.length === 0) throw wrong('metrics', 'needs at least one metric')
  const metrics = metricsOf(request.metrics, window)
  const keys = groupKeys(request.group_by ?? [], window)
  const most = Math.max(1, Math.min(request.group_limit, Math.floor(MOST_ROWS / span.starts.length)))
  const named = keyColumns(keys)
  const names = columnsNamed(named)
  const rows = grouped(window, {
    keys: [inBucket(sql`started_at`, span), ...named],
    columns: [sql`count() AS n`, ...measured(metrics)],
    conditions: conditionsOf(request, window),
  })
  if (keys.length === 0) return { keys, metrics, statement: withPrices(sql`${rows} ORDER BY bucket`, window) }
  const statement = sql`SELECT * FROM (
    SELECT *, dense_rank() OVER (ORDER BY size DESC, ${names}) AS place FROM (
      SELECT *, sum(n) OVER (PARTITION BY ${names}) AS size FROM (${rows})))
  WHERE place <= ${bind.uint(most)} ORDER BY bucket, place`
  return { keys, metrics, statement: withPrices(statement, window) }
}

export type StatsRow = Record<string, Scalar> & { bucket: number; place?: number }

/** Every group in every bucket, including empty ones. */
export function answerRows(
  { keys, metrics }: StatsPlan,
  rows: readonly StatsRow[],
  span: Span,
): Record<string, Scalar>[] {
  const groups = new Map<number, Record<string, Scalar>>()
  const found = new Map<string, StatsRow>()
  for (const row of rows) {
    const place = Number(row.place ?? 0)
    if (!groups.has(place))
      groups.set(place, Object.fromEntries(keys.map(({ alias }, i) => [alias, row[`k${i}`] ?? null])))
    found.set(`${row.bucket} ${place}`, row)
  }
  if (keys.length === 0) groups.set(0, {})
  const places = [...groups.keys()].sort((a, b) => a - b)
  return span.starts.flatMap((start) =>
    places.map((place) => ({
      timestamp: isoOfMicros(start * 1e6),
      ...groups.get(place),
      ...valuesOf(metrics, found.get(`${start} ${place}`)),
    })),
  )
}

/** The metrics of a row; without a row, the values of empty ones. */
export function valuesOf(
  metrics: readonly Metric[],
  row: Record<string, Scalar> | undefined,
): Record<string, Scalar> {
  return Object.fromEntries(
    metrics.map(({ column, empty, isTime }, i) => {
      const value = row === undefined ? empty : (row[`m${i}`] ?? empty)
      return [column.name, isTime && value !== null ? isoOfMicros(Number(value)) : value]
    }),
  )
}

/** The description of an answer's columns. */
export function columnsOf({ keys, metrics }: StatsPlan): AgentSpanStatsColumn[] {
  const plain = (name: string, role: 'time' | 'group', value_type: AgentSpanStatsColumn['value_type']) => ({
    name,
    role,
    value_type,
    metric: null,
    aggregation: null,
  })
  return [
    plain('timestamp', 'time', 'datetime'),
    ...keys.map(({ alias, value }) => plain(alias, 'group', typeOf(value))),
    ...metrics.map(({ column }) => column),
  ]
}
