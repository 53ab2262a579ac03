/** Statistics of calls over time (contract §2.3): the request checked and cut into buckets, and the statements. Pure. */
import { microsOf } from '../../common/calls/time.js'
import { bind, ident, join, type Sql, sql } from '../../common/clickhouse/sql.js'
import type { Aggregation, CallStatsReq } from '../../common/contract/calls-read.js'
import { ValidationError } from '../../common/errors/error.js'
import { projectIdOf } from '../../common/ids/project.js'
import { nowMicros } from '../../common/time/iso.js'
import { costsJson, pricesOf } from '../costs/expression.js'
import { bucketStarts, MOST_BUCKETS, TimeZone, usualGranularity } from './buckets.js'
import { LATENCY_MS } from './fields.js'
import { filterConditions } from './filter.js'
import { OWN_USAGE } from './own-usage.js'
import { rowsOfBoth } from './page.js'

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
  const zone = zoneOf(request.timezone)
  if (isTooLong(start / SECOND, end / SECOND, zone))
    throw wrong('end', `Should be at most ${MOST_DAYS} days after start`)
  const [from, to] = [Math.floor(start / SECOND), Math.ceil(end / SECOND)]
  const granularity = request.granularity ?? usualGranularity(from, to)
  const starts = bucketStarts(from, to, granularity, zone)
  if (!starts) throw wrong('granularity', `Should make at most ${MOST_BUCKETS} buckets`)
  return { start, end, granularity, starts }
}

/** Days count by the zone's clocks, too: a month in which they are put back is an hour longer than its days. */
function isTooLong(from: number, to: number, zone: TimeZone): boolean {
  const over = to - from - MOST_DAYS * 86_400
  if (over <= 0 || over > 86_400) return over > 0
  const midnight = zone.startOfDay(Math.floor(from))
  let day = midnight
  for (let i = 0; i < MOST_DAYS; i++) day = zone.nextDay(day)
  return to > day + (from - midnight)
}

function zoneOf(name: string): TimeZone {
  const unknown = wrong('timezone', 'Should be the name of a time zone, such as Europe/Berlin')
  // Newer runtimes also take a distance from UTC, which is no zone's name.
  if (/^[+-]/.test(name)) throw unknown
  try {
    return new TimeZone(name)
  } catch {
    throw unknown
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

/** By the position of the number in a call's own usage. */
const USAGE_VALUES: Record<string, Sql> = {
  input_tokens: sql`own.3`,
  output_tokens: sql`own.4`,
  total_tokens: sql`own.5`,
  cache_read_input_tokens: sql`own.6`,
  cache_creation_input_tokens: sql`own.7`,
}

const cost = (name: string) => sql`JSONExtract(costs, own.1, ${bind.string(name)}, 'Nullable(Float64)')`
const INPUT_COST = sql`(${cost('prompt_tokens_total_cost')} + ${cost('cache_read_input_tokens_total_cost')} + ${cost('cache_creation_input_tokens_total_cost')})`
const OUTPUT_COST = cost('completion_tokens_total_cost')

/** NULL where no price is known. Cached tokens are part of the input. */
const COST_VALUES: Record<string, Sql> = {
  input_cost: INPUT_COST,
  output_cost: OUTPUT_COST,
  total_cost: sql`(${INPUT_COST} + ${OUTPUT_COST})`,
}

export function callMeasures(specs: readonly Spec[]): Measure[] {
  return measures(specs, CALL_VALUES)
}

export function usageMeasures(specs: readonly Spec[]): Measure[] {
  return measures(specs, USAGE_VALUES)
}

function measures(specs: readonly Spec[], values: Record<string, Sql>): Measure[] {
  const all = specs.flatMap(({ metric, aggregations, percentiles }): Measure[] => {
    const counted = values[metric]
    const value = counted ? sql`toNullable(${counted})` : COST_VALUES[metric]!
    return [
      ...aggregations.map((name) => ({
        name: `${name}_${metric}`,
        aggregate: counted && name === 'sum' ? sql`ifNull(sum(${value}), 0)` : AGGREGATES[name](value),
        empty: EMPTY[name],
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
  const calls = callsOf(request, span, conditions)
  const priced = request.usage_metrics?.some(({ metric }) => metric in COST_VALUES)
  const prices = priced ? sql`WITH ${pricesOf(projectIdOf(request.project_id))} AS prices ` : sql``
  const rows = priced
    ? sql`SELECT started_at, summary, ${costsJson(sql`prices`, sql`summary`, sql`started_at`)} AS costs FROM (${calls})`
    : calls
  return sql`${prices}SELECT ${bucketOf(span)} AS bucket, own.1 AS model, ${aggregates(wanted)}
  FROM (${rows}) ARRAY JOIN ${OWN_USAGE} AS own
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
