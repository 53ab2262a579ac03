/** The statement of a metrics query of Langfuse's SDKs, and its rows as they are answered. Pure. */
import type { Granularity, MetricsAggregation, MetricsQuery } from '../../../contract/langfuse-metrics.js'
import { columnsNamed, type Key, measured, statistics } from '../../../domain/calls/read/statistics.js'
import type { SpanPlaces } from '../../../domain/calls/span-places.js'
import { bind, commaList, ident, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'
import { type Column, choiceOf, conditionsOf } from '../query/column.js'
import { type Measure, type Source, sourceOf } from './source.js'

const ROWS = 100
const BINS = 10
const TIME = 'time_dimension'

/** Whether only columns of few values may group rows, and traces are no view. */
export type MetricsVersion = 1 | 2

type Row = Record<string, unknown>

interface MetricsStatement {
  statement: Sql
  answerOf: (row: Row) => Row
}

/** @throws 400 for what does not exist, or a query can't do */
export function metricsStatement(
  project: string,
  query: MetricsQuery,
  version: MetricsVersion,
  places?: SpanPlaces,
): MetricsStatement {
  const { view, fromTimestamp: from, toTimestamp: to } = query
  if (Date.parse(from) >= Date.parse(to))
    throw errors.badRequest('toTimestamp should be after fromTimestamp.')
  if (version === 2 && view === 'traces')
    throw errors.badRequest('This route has no view "traces"; use "observations", or /api/public/metrics.')
  const source = sourceOf(view, { project, from, to, places })
  const conditions = conditionsOf(source, query.filters)
  const dimensions = (query.dimensions ?? []).map(({ field }) => dimensionOf(source, field, version))
  const metrics = query.metrics.map((metric) => ({
    ...metric,
    name: `${metric.aggregation}_${metric.measure}`,
    found: measureOf(source, view, metric.measure),
  }))
  const granularity = query.timeDimension && granularityOf(query.timeDimension.granularity, from, to)
  const inner = commaList([
    sql`${source.at} AS at`,
    ...dimensions.map(({ column }, i) => sql`${column.sql} AS ${ident(`d${i}`)}`),
    ...metrics.map(({ found }, i) => sql`${'key' in found ? found.key : found.value} AS ${ident(`v${i}`)}`),
  ])
  const joins = metrics.flatMap(({ found }, i) =>
    'key' in found
      ? [
          sql` LEFT ANY JOIN (${found.of(conditions)}) AS ${ident(`t${i}`)} ON ${ident(`t${i}`)}.key = r.${ident(`v${i}`)}`,
        ]
      : [],
  )
  const bins = query.config?.bins ?? BINS
  const keys: Key[] = [
    ...(granularity ? [[TIME, bucketOf(granularity)] as const] : []),
    ...dimensions.map((_, i) => [`d${i}`, ident(`d${i}`)] as const),
  ]
  const values = metrics.map(({ aggregation, found }, i) => {
    const value = 'key' in found ? sql`${ident(`t${i}`)}.value` : ident(`v${i}`)
    return { aggregate: AGGREGATES[aggregation](value, bins) }
  })
  const isPriced = metrics.some(({ found }) => found.isPriced)
  const rows = statistics({
    ...{ keys, columns: measured(values), order: orderOf(query, metrics, keys) },
    from: sql`FROM (${source.rows(inner, conditions)}) AS r${join(joins, sql``)}`,
  })
  const prices = isPriced ? source.prices : sql``
  const statement = sql`${prices}${rows} LIMIT ${bind.uint(query.config?.row_limit ?? ROWS)}`
  const answerOf = (row: Row): Row => ({
    ...(granularity && { [TIME]: row[TIME] }),
    ...Object.fromEntries(
      dimensions.map(({ field }, i) => [field, row[`d${i}`] === '' ? null : row[`d${i}`]]),
    ),
    ...Object.fromEntries(metrics.map(({ name }, i) => [name, row[`m${i}`]])),
  })
  return { statement, answerOf }
}

function dimensionOf(
  { columns, unique }: Source,
  field: string,
  version: MetricsVersion,
): { field: string; column: Column } {
  const able = [...columns].filter(
    ([name, { type }]) => type !== 'time' && type !== 'content' && (version === 1 || !unique.includes(name)),
  )
  const column = new Map(able).get(field)
  if (column !== undefined) return { field, column }
  const names = able.map(([name]) => name)
  const reason = columns.has(field) ? `can't group rows here, but filter them` : `is no dimension`
  throw errors.badRequest(`"${field}" ${reason}; ${choiceOf(names)}.`)
}

function measureOf({ measures }: Source, view: string, name: string): Measure {
  const measure = measures.get(name)
  if (measure) return measure
  throw errors.badRequest(`The view "${view}" has no measure "${name}"; ${choiceOf(measures.keys())}.`)
}

const percentile = (level: number) => (value: Sql) =>
  sql`ifNotFinite(quantileTDigest(${bind.float(level)})(${value}), NULL)`

const AGGREGATES: Record<MetricsAggregation, (value: Sql, bins: number) => Sql> = {
  sum: (value) => sql`ifNull(sum(${value}), 0)`,
  avg: (value) => sql`ifNotFinite(avg(${value}), NULL)`,
  count: (value) => sql`count(${value})`,
  max: (value) => sql`max(${value})`,
  min: (value) => sql`min(${value})`,
  p50: percentile(0.5),
  p75: percentile(0.75),
  p90: percentile(0.9),
  p95: percentile(0.95),
  p99: percentile(0.99),
  histogram: (value, bins) =>
    sql`histogramIf(${bind.uint(bins)})(assumeNotNull(${value}), isNotNull(${value}))`,
}

/** Seconds of about so many buckets. */
const BUCKETS = 50
const AUTO = [
  [60, 'minute'],
  [3600, 'hour'],
  [86_400, 'day'],
  [7 * 86_400, 'week'],
] as const

function granularityOf(given: Granularity | 'auto', from: string, to: string): Granularity {
  if (given !== 'auto') return given
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000 / BUCKETS
  return AUTO.find(([most]) => seconds <= most)?.[1] ?? 'month'
}

const STARTS: Record<Granularity, Sql> = {
  minute: sql`toStartOfMinute(r.at)`,
  hour: sql`toStartOfHour(r.at)`,
  day: sql`toStartOfDay(r.at)`,
  week: sql`toStartOfWeek(r.at, 1)`,
  month: sql`toStartOfMonth(r.at)`,
}
const bucketOf = (granularity: Granularity) =>
  sql`formatDateTime(toDateTime(${STARTS[granularity]}, 'UTC'), '%Y-%m-%dT%H:%i:%S.000Z', 'UTC')`

function orderOf(
  { orderBy, dimensions, timeDimension }: MetricsQuery,
  metrics: readonly { name: string; measure: string }[],
  keys: readonly Key[],
): Sql[] {
  const fields = new Map<string, Sql>([
    ...(dimensions ?? []).map(({ field }, i): [string, Sql] => [field, ident(`d${i}`)]),
    ...metrics.map(({ measure }, i): [string, Sql] => [measure, ident(`m${i}`)]),
    ...metrics.map(({ name }, i): [string, Sql] => [name, ident(`m${i}`)]),
    ...(timeDimension ? [[TIME, ident(TIME)] as const] : []),
  ])
  const given = (orderBy ?? []).map(({ field, direction }) => {
    const column = fields.get(field)
    if (column === undefined)
      throw errors.badRequest(`orderBy has "${field}", which the query has not; ${choiceOf(fields.keys())}.`)
    return direction === 'asc' ? sql`${column} ASC` : sql`${column} DESC`
  })
  const usual = timeDimension || metrics.length === 0 ? [] : [sql`m0 DESC`]
  return [...(given.length > 0 ? given : usual), columnsNamed(keys)]
}
