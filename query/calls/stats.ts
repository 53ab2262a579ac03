/** Statistics of calls over time (contract §2.3): the request checked and cut into buckets, and the statements. Pure. */
import { microsOf } from '../../common/calls/time.js'
import { bind, ident, join, type Sql, sql } from '../../common/clickhouse/sql.js'
import type { Aggregation, CallStatsReq } from '../../common/contract/calls-read.js'
import { ValidationError } from '../../common/errors/error.js'
import { projectIdOf } from '../../common/ids/project.js'
import { nowMicros } from '../../common/time/iso.js'
import { bucketStarts, MOST_BUCKETS, TimeZone, usualGranularity } from './buckets.js'
import { LATENCY_MS } from './fields.js'
import { filterConditions } from './filter.js'
import { rowsOfBoth } from './page.js'
import { OWN_USAGE } from './usage.js'

const MOST_DAYS = 31
const SECOND = 1_000_000

/** The time that is asked for; µs since the epoch, seconds for buckets. */
export interface Span {
  start: number
  end: number
  granularity: number
  /** where buckets begin */
  starts: readonly number[]
}

/** @throws 422 for a time zone that there is not, a time that is empty or too long, too many buckets */
export function spanOf(request: CallStatsReq): Span {
  const start = microsOf(request.start)
  const end = request.end === null ? nowMicros() : microsOf(request.end)
  if (end <= start) throw wrong('end', 'Should be later than start')
  if (end - start > MOST_DAYS * 86_400 * SECOND)
    throw wrong('end', `Should be at most ${MOST_DAYS} days after start`)
  const [from, to] = [Math.floor(start / SECOND), Math.ceil(end / SECOND)]
  const granularity = request.granularity ?? usualGranularity(from, to)
  const starts = bucketStarts(from, to, granularity, zoneOf(request.timezone))
  if (!starts) throw wrong('granularity', `Should make at most ${MOST_BUCKETS} buckets`)
  return { start, end, granularity, starts }
}

function zoneOf(name: string): TimeZone {
  try {
    return new TimeZone(name)
  } catch {
    throw wrong('timezone', 'Should be the name of a time zone, such as Europe/Berlin')
  }
}

function wrong(field: string, msg: string): ValidationError {
  return new ValidationError([{ loc: ['body', field], msg, type: 'value_error' }])
}

interface Spec {
  metric: string
  aggregations: readonly Aggregation[]
  percentiles: readonly number[]
}

/** What a bucket holds: names for the answer, and SQL that aggregates. A count over nothing is 0, all else null. */
export interface Measure {
  name: string
  aggregate: Sql
  empty: 0 | null
}

const CALL_VALUES: Record<string, Sql> = {
  latency_ms: LATENCY_MS,
  call_count: sql`1`,
  error_count: sql`toUInt8(exception != '')`,
}

/** By the position of the number in a call's own usage. Costs come with prices. */
const USAGE_VALUES: Record<string, Sql> = {
  input_tokens: sql`own.3`,
  output_tokens: sql`own.4`,
  total_tokens: sql`own.5`,
  cache_read_input_tokens: sql`own.6`,
  cache_creation_input_tokens: sql`own.7`,
}

export function callMeasures(specs: readonly Spec[]): Measure[] {
  return measures(specs, CALL_VALUES)
}

export function usageMeasures(specs: readonly Spec[]): Measure[] {
  return measures(specs, USAGE_VALUES)
}

function measures(specs: readonly Spec[], values: Record<string, Sql>): Measure[] {
  const all = specs.flatMap(({ metric, aggregations, percentiles }): Measure[] => {
    const known = values[metric]
    const value = known ? sql`toNullable(${known})` : sql`CAST(NULL, 'Nullable(Float64)')`
    return [
      ...aggregations.map((name) => ({
        name: `${name}_${metric}`,
        aggregate: known && name === 'sum' ? sql`ifNull(sum(${value}), 0)` : AGGREGATES[name](value),
        empty: known ? EMPTY[name] : null,
      })),
      ...percentiles.map((percent) => ({
        name: `p${percent}_${metric}`,
        aggregate: sql`quantileExactInclusive(${bind.float(percent / 100)})(${value})`,
        empty: null,
      })),
    ]
  })
  return [...new Map(all.map((measure) => [measure.name, measure])).values()]
}

const AGGREGATES: Record<Aggregation, (value: Sql) => Sql> = {
  sum: (value) => sql`sum(${value})`,
  avg: (value) => sql`avg(${value})`,
  min: (value) => sql`min(${value})`,
  max: (value) => sql`max(${value})`,
  count: (value) => sql`count(${value})`,
  count_true: (value) => sql`countIf(${value} != 0)`,
  count_false: (value) => sql`countIf(${value} = 0)`,
}

const EMPTY: Record<Aggregation, 0 | null> = {
  sum: 0,
  avg: null,
  min: null,
  max: null,
  count: 0,
  count_true: 0,
  count_false: 0,
}

/** Rows of `bucket` (seconds) and a column `m0`, `m1`, … a measure. */
export function callStatsStatement(request: CallStatsReq, span: Span, wanted: readonly Measure[]): Sql {
  const conditions = filterConditions(request.filter, request.project_id)
  return sql`SELECT ${bucketOf(span)} AS bucket, ${aggregates(wanted)}
  FROM (${callsOf(request, span, conditions)}) GROUP BY bucket ORDER BY bucket`
}

/** The same by model: rows have `model` too. Roots stand for their traces; spans of exporters have no sums of their own. */
export function usageStatsStatement(request: CallStatsReq, span: Span, wanted: readonly Measure[]): Sql {
  const rootsOnly = request.filter?.trace_roots_only === true
  const filter = request.filter && { ...request.filter, trace_roots_only: null }
  const conditions = filterConditions(filter, request.project_id)
  if (rootsOnly) conditions.push(sql`(parent_id = '' OR otel_span != '')`)
  return sql`SELECT ${bucketOf(span)} AS bucket, own.1 AS model, ${aggregates(wanted)}
  FROM (${callsOf(request, span, conditions)}) ARRAY JOIN ${OWN_USAGE} AS own
  GROUP BY bucket, model ORDER BY bucket, model`
}

const COLUMNS = sql`started_at, ended_at, exception, summary`

function callsOf(request: CallStatsReq, { start, end }: Span, conditions: readonly Sql[]): Sql {
  const time = (micros: number) => sql`fromUnixTimestamp64Micro(${bind.time(micros)}, 'UTC')`
  const within = [sql`started_at >= ${time(start)}`, sql`started_at < ${time(end)}`]
  const all = [...within, ...conditions]
  return rowsOfBoth(COLUMNS, projectIdOf(request.project_id), all)
}

function bucketOf({ starts }: Span): Sql {
  return sql`roundDown(toUnixTimestamp(started_at), ${bind.ints(starts)})`
}

function aggregates(wanted: readonly Measure[]): Sql {
  return join(
    wanted.map(({ aggregate }, i) => sql`${aggregate} AS ${ident(`m${i}`)}`),
    sql`, `,
  )
}
