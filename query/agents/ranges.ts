/** Statistics of spans of agents by ranges of a value, or of groups of them by ranges of a measure. Pure. */
import type { Scalar } from '../../contract/agent-span.js'
import type { AgentSpanStatsColumn, AgentSpanStatsReq, NumericBuckets } from '../../contract/agent-stats.js'
import { wrong } from '../../domain/calls/read/span.js'
import { measured, statistics } from '../../domain/calls/read/statistics.js'
import { allOf, bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { withPrices } from './costs.js'
import { grouped } from './grouped.js'
import { spansOf, type Window } from './identity.js'
import { groupKeys, keyColumns, measure, typeOf, valueAt } from './measures.js'
import { conditionsOf, type Metric, metricsOf, valuesOf } from './stats.js'

export interface RangePlan {
  spec: NumericBuckets
  metrics: readonly Metric[]
  /** `least` and `most` of the value, NULL if there is none */
  ends: Sql
  /** rows of `range`, `n` and the metrics */
  counts: (least: number, most: number) => Sql
}

/** @throws 400, 422 */
export function rangePlan(request: AgentSpanStatsReq, spec: NumericBuckets, window: Window): RangePlan {
  if (request.group_by?.length) throw wrong('group_by', 'is not for ranges of numbers')
  const conditions = conditionsOf(request, window)
  if (spec.measure != null) {
    const keys = groupKeys(
      spec.group_by?.length ? spec.group_by : [{ source: 'field', key: 'conversation_id' }],
      window,
    )
    const value = sql`toFloat64(${measure(spec.measure, window, 'bucket_by')}) AS v`
    const rows = sql`SELECT v FROM (${grouped(window, { keys: keyColumns(keys), columns: [value], conditions })})`
    return planOver(spec, [], rows, window)
  }
  if (spec.value == null) throw wrong('bucket_by', 'needs a value, or a measure of groups')
  const value = valueAt(spec.value, window)
  if (typeOf(value) !== 'number') throw wrong('bucket_by', 'needs a value that is a number')
  const metrics = metricsOf(request.metrics, window)
  const columns = sql`*, toFloat64(${value.sql}) AS v`
  return planOver(spec, metrics, sql`SELECT ${columns} ${spansOf(window, conditions, columns)}`, window)
}

function planOver(spec: NumericBuckets, metrics: readonly Metric[], rows: Sql, window: Window): RangePlan {
  const inside = allOf([
    sql`v IS NOT NULL`,
    spec.min == null ? sql`` : sql`v >= ${bind.float(spec.min)}`,
    spec.max == null ? sql`` : sql`v <= ${bind.float(spec.max)}`,
  ])
  const counts = (least: number, most: number) => {
    const place = sql`toInt64(least(${bind.float(spec.bins - 1)}, floor((v - ${bind.float(least)}) / ${bind.float((most - least) / spec.bins || 1)})))`
    const counted = statistics({
      keys: [['range', place]],
      columns: [sql`count() AS n`, ...measured(metrics)],
      from: sql`FROM (${rows}) WHERE ${inside}`,
      order: [sql`range`],
    })
    return withPrices(counted, window)
  }
  return {
    spec,
    metrics,
    ends: withPrices(
      sql`SELECT minOrNull(v) AS least, maxOrNull(v) AS most FROM (${rows}) WHERE ${inside}`,
      window,
    ),
    counts,
  }
}

export type RangeRow = Record<string, Scalar> & { range: number; n: number }

/** All ranges between `least` and `most`; one range if they are equal. */
export function rangeRows(
  { spec, metrics }: RangePlan,
  rows: readonly RangeRow[],
  least: number,
  most: number,
): Record<string, Scalar>[] {
  const bins = least === most ? 1 : spec.bins
  const width = (most - least) / bins
  const found = new Map(rows.map((row) => [Number(row.range), row]))
  return Array.from({ length: bins }, (_, i) => ({
    bucket_index: i,
    bucket_min: least + i * width,
    bucket_max: i === bins - 1 ? most : least + (i + 1) * width,
    ...(metrics.length > 0 ? valuesOf(metrics, found.get(i)) : { count: Number(found.get(i)?.n ?? 0) }),
  }))
}

export function rangeColumns({ metrics }: RangePlan): AgentSpanStatsColumn[] {
  const of = (name: string, role: 'bucket' | 'metric') =>
    ({ name, role, value_type: 'number', metric: null, aggregation: null }) as const
  const values = metrics.length > 0 ? metrics.map(({ column }) => column) : [of('count', 'metric')]
  return [...['bucket_index', 'bucket_min', 'bucket_max'].map((name) => of(name, 'bucket')), ...values]
}
