/** Statistics of calls over time (contract §2.3): the request checked and cut into buckets, and the statements. Pure. */

import type { Aggregation, CALL_METRICS, CallStatsReq } from '../../contract/calls-read.js'
import { COUNTS } from '../../domain/calls/one-answer.js'
import { callFields, FIRST_TOKEN_MS, LATENCY_MS } from '../../domain/calls/read/fields.js'
import { CALL_GROUPS } from '../../domain/calls/read/groups.js'
import type { Span } from '../../domain/calls/read/span.js'
import {
  aggregatesOf,
  columnsNamed,
  inBucket,
  type Key,
  largest,
  measured,
  statistics,
} from '../../domain/calls/read/statistics.js'
import { rowsOfBoth } from '../../domain/calls/read/visible.js'
import type { SpanPlaces } from '../../domain/calls/span-places.js'
import { costParts, isPriced, pricesOf, promptOfRequest, ratesOf } from '../../domain/costs/expression.js'
import { modelsOf, OWN_USAGE } from '../../domain/costs/usages.js'
import { allOf, commaList, ident, instant, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { Range } from './kept-buckets.js'
import { conditionsOf, prefilterOf } from './selection.js'

/** A request, and where attributes of the project's spans are; absent: in their whole text. */
export type StatsReq = CallStatsReq & { places?: SpanPlaces | undefined }

interface Spec {
  metric: string
  aggregations: readonly Aggregation[]
  percentiles: readonly number[]
}

/** A measure of a bucket: its name in the answer, and its aggregate in SQL. Of no calls, a count is 0, all else null. */
export interface Measure {
  name: string
  aggregate: Sql
  empty: 0 | null
}

const CALL_VALUES: Record<(typeof CALL_METRICS)[number], Sql> = {
  latency_ms: LATENCY_MS,
  time_to_first_token_ms: FIRST_TOKEN_MS,
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

/** What a model's own usage cost at its price. */
const PARTS = costParts(
  {
    prompt_tokens: sql`own.3`,
    completion_tokens: sql`own.4`,
    cache_read_input_tokens: sql`own.6`,
    cache_creation_input_tokens: sql`own.7`,
  },
  sql`price`,
)
const { completion_tokens_total_cost: OUTPUT_COST, ...INPUT_COSTS } = PARTS
const INPUT_COST = sql`(${join(Object.values(INPUT_COSTS), sql` + `)})`

/** NULL if no price is known. Cached tokens are part of the input. */
const cost = (value: Sql) => sql`if(${isPriced(sql`price`)}, ${value}, NULL)`
const COST_VALUES: Record<string, Sql> = {
  input_cost: cost(INPUT_COST),
  output_cost: cost(OUTPUT_COST),
  total_cost: cost(sql`${INPUT_COST} + ${OUTPUT_COST}`),
}

/** @param only a condition on the calls that count; default: all do */
export function callMeasures(specs: readonly Spec[], only?: Sql): Measure[] {
  return measures(specs, CALL_VALUES, only)
}

export function usageMeasures(specs: readonly Spec[]): Measure[] {
  return measures(specs, USAGE_VALUES)
}

/** The number of calls in a bucket, or of those that a condition is true for, always part of the answer. */
const countOf = (only: Sql | undefined): Measure => ({
  ...{ name: 'count', aggregate: only ? sql`countIf(${only})` : sql`count()`, empty: 0 },
})

function measures(specs: readonly Spec[], values: Record<string, Sql>, only?: Sql): Measure[] {
  const all = specs.flatMap(({ metric, aggregations, percentiles }): Measure[] => {
    const counted = values[metric]
    const every = counted ? sql`toNullable(${counted})` : COST_VALUES[metric]!
    const value = only ? sql`if(${only}, ${every}, NULL)` : every
    return aggregatesOf(aggregations, percentiles, () => value).map(({ name, aggregate, empty }) => ({
      name: `${name}_${metric}`,
      aggregate: counted && name === 'sum' ? sql`ifNull(${aggregate}, 0)` : aggregate,
      empty,
    }))
  })
  const distinct = new Map(all.map((measure) => [measure.name, measure]))
  return all.length === 0 ? [] : [...distinct.values(), countOf(only)]
}

/** Rows of `bucket` (seconds), `grp` if groups are asked for, and a column `m0`, `m1`, … per measure. */
export function callStatsStatement(
  request: StatsReq,
  span: Span,
  wanted: readonly Measure[],
  ranges: readonly Range[],
): Sql {
  const calls = callsOf(request, ranges, selected(request))
  return overTime(span, keysOf(request), wanted, sql`FROM (${calls})`)
}

/**
 * Rows of `bucket` and the columns of several lists of measures, one after the other: each of the calls that its request
 * selects, which is about the same project. None has groups.
 * @param measuresOf of the calls that a condition is true for
 */
export function batchStatement(
  requests: readonly StatsReq[],
  span: Span,
  measuresOf: (i: number, only: Sql) => readonly Measure[],
  range: Range,
): Sql {
  const conditions = requests.map((request) => allOf([sql`1`, ...selected(request)]))
  const flags = conditions.map((condition, i) => sql`(${condition}) AS ${ident(`is_${i}`)}`)
  const some = sql`(${join(
    conditions.map((condition) => sql`(${condition})`),
    sql` OR `,
  )})`
  const columns = sql`${COLUMNS}, ${commaList(flags)}`
  const calls = rowsOfBoth(columns, projectIdOf(requests[0]!.project_id), [within([range]), some])
  const wanted = requests.flatMap((_, i) => measuresOf(i, ident(`is_${i}`)))
  return overTime(span, [], wanted, sql`FROM (${calls})`)
}

/** The conditions of the request's filter and query, cheap ones first. @throws 422 for unknown fields */
function selected(request: StatsReq): Sql[] {
  const fields = callFields(request.project_id, undefined, request.places)
  return [...prefilterOf(request, fields), ...conditionsOf(request, fields)]
}

/**
 * The same of usage. Roots represent their traces; exporters' spans have no sums.
 * @param models apart: a row for each model, with its name as `model`
 */
export function usageStatsStatement(
  request: StatsReq,
  span: Span,
  wanted: readonly Measure[],
  ranges: readonly Range[],
  models: 'apart' | 'together' = 'apart',
): Sql {
  const rootsOnly = request.filter?.trace_roots_only === true
  const filter = request.filter && { ...request.filter, trace_roots_only: null }
  const conditions = selected({ ...request, filter })
  conditions.push(COUNTS)
  if (rootsOnly) conditions.push(sql`(parent_id = '' OR otel_span != '')`)
  const each = sql`ARRAY JOIN ${OWN_USAGE} AS own`
  const calls = callsOf(request, ranges, conditions, sql`sum(own.5)`, each)
  const priced = request.usage_metrics?.some(({ metric }) => metric in COST_VALUES)
  const all = callsOf({ ...request, group_by: null }, ranges, conditions)
  const named = sql`SELECT DISTINCT arrayJoin(${modelsOf(sql`summary`)}) AS model FROM (${all})`
  const prices = priced ? sql`WITH ${pricesOf(projectIdOf(request.project_id), named)} AS prices ` : sql``
  const price = ratesOf(sql`prices`, sql`own.1`, sql`started_at`, promptOfRequest(sql`own.3`, sql`own.2`))
  const keys = keysOf(request)
  const columns = [sql`started_at`, columnsNamed(keys), sql`own`, priced ? sql`${price} AS price` : sql``]
  const byModel: Key[] = models === 'apart' ? [['model', sql`own.1`]] : []
  const rows = sql`FROM (SELECT ${commaList(columns)} FROM (${calls}) ${each})`
  return sql`${prices}${overTime(span, [...keys, ...byModel], wanted, rows, columnsNamed(byModel))}`
}

const overTime = (
  span: Span,
  keys: readonly Key[],
  wanted: readonly Measure[],
  from: Sql,
  then = sql``,
): Sql =>
  statistics({
    keys: [inBucket(sql`started_at`, span), ...keys],
    ...{ columns: measured(wanted), from, order: [sql`bucket`, then] },
  })

const COLUMNS = sql`started_at, ended_at, first_token, exception, summary`

/** The key of groups, if they are asked for. */
function keysOf({ group_by }: CallStatsReq): Key[] {
  return group_by === null ? [] : [['grp', sql`grp`]]
}

/** The calls of the span; with groups, `grp` is one of the {@link largest}, or NULL. */
function callsOf(
  request: StatsReq,
  ranges: readonly Range[],
  conditions: readonly Sql[],
  size?: Sql,
  each?: Sql,
): Sql {
  const rows = (columns: Sql) =>
    rowsOfBoth(columns, projectIdOf(request.project_id), [within(ranges), ...conditions])
  if (request.group_by === null) return rows(COLUMNS)
  const named = sql`${CALL_GROUPS[request.group_by]} AS named`
  const groups = largest(rows(sql`summary, ${named}`), request.group_limit, size, each)
  return sql`SELECT ${COLUMNS}, if(named IN (${groups}), named, NULL) AS grp FROM (${rows(sql`${COLUMNS}, ${named}`)})`
}

/** The condition that a call started in one of `ranges`. */
export function within(ranges: readonly Range[]): Sql {
  const each = ranges.map(
    ({ from, to }) => sql`(started_at >= ${instant(from)} AND started_at < ${instant(to)})`,
  )
  return sql`(${join(each, sql` OR `)})`
}
