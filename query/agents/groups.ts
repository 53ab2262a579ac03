/** The statement that groups agents' spans, with fixed aggregates and the caller's measures. Pure. */
import type { AgentSpanGroupFilter, AgentSpansQueryReq } from '../../contract/agents.js'
import { COUNTS } from '../../domain/calls/one-answer.js'
import { wrong } from '../../domain/calls/read/span.js'
import { columnsNamed, measured } from '../../domain/calls/read/statistics.js'
import type { BilledSums } from '../../domain/costs/billed-sums.js'
import type { Prices } from '../../domain/costs/pricing.js'
import { bind, commaList, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { microsOf } from '../../platform/time/micros.js'
import { billedBySpans, SPAN_COSTS, withPrices } from './costs.js'
import { spanField } from './fields.js'
import { grouped, type Placed, paged, SUMS } from './grouped.js'
import type { Window } from './identity.js'
import { type GroupKey, groupKeys, keyColumns, measure, within } from './measures.js'
import { MAY_NAME } from './previews.js'
import { insightConditions, signalConditions } from './signals.js'
import { matches } from './spans.js'

/** A group from the store: fixed aggregates, and `keys` and `metrics` by position. */
export interface GroupRow extends Placed {
  [column: string]: unknown
  first: number
  last: number
  took: number
  /** absent: costs aren't asked for */
  billed?: BilledSums
  /** whether a conversation of it may have a name */
  may_name: 0 | 1
}

const FIXED = [
  ...['span_count', 'invocation_count', 'conversation_count', 'total_input_tokens'],
  ...['total_cache_creation_input_tokens', 'total_cache_read_input_tokens', 'total_output_tokens'],
  ...['total_reasoning_tokens', 'error_count'],
]
/** Costs by which groups can be put in order, and those of a span that they add up. */
const COSTS = {
  total_cost_usd: 'total',
  total_input_cost_usd: 'input',
  total_output_cost_usd: 'output',
} as const
const SORTED_BY: Record<string, string> = {
  total_duration_ms: 'took',
  first_seen: 'first',
  last_seen: 'last',
}
const NAMES = 1000

export interface GroupPlan {
  statement: Sql
  keys: readonly GroupKey[]
  /** on the spans */
  conditions: readonly Sql[]
}

/**
 * @param prices of the project; undefined: costs aren't asked for
 * @param more conditions on the spans, besides those of the request
 * @throws 400, 422
 */
export function groupPlan(
  request: AgentSpansQueryReq,
  window: Window,
  prices: Prices | undefined,
  more: readonly Sql[] = [],
): GroupPlan {
  const keys = groupKeys(request.group_by!, window)
  checkAliases(request, keys)
  const field = (name: string) => spanField(name, window)!.sql
  const conversation = field('conversation_id')
  const conditions = [...more, ...conditionsOf(request, window)]
  const used = (tokens: Sql) => sql`sumIf(${tokens}, ${COUNTS})`
  const names = (value: Sql) =>
    sql`arraySort(groupUniqArrayIf(${bind.uint(NAMES)})(toString(${value}), ${value} != ''))`
  const columns = [
    SUMS,
    sql`uniqExact(${conversation}) AS conversation_count`,
    sql`${used(sql`cache_creation_input_tokens`)} AS total_cache_creation_input_tokens`,
    sql`${used(sql`cache_read_input_tokens`)} AS total_cache_read_input_tokens, ${used(sql`reasoning_tokens`)} AS total_reasoning_tokens`,
    ...(prices ? [sql`${billedBySpans(prices, COUNTS)} AS billed`] : []),
    ...Object.entries(COSTS).flatMap(([column, part]) => {
      if (!(request.sort_by ?? []).some(({ field }) => field === column)) return []
      return sql`${prices ? sql`sumOrNullIf(${SPAN_COSTS[part]}, ${COUNTS})` : sql`NULL`} AS ${ident(column)}`
    }),
    sql`${names(field('agent_name'))} AS agent_names, ${names(field('agent_version'))} AS agent_versions`,
    sql`${names(sql`provider_name`)} AS provider_names, ${names(sql`request_model`)} AS request_models`,
    sql`max(${MAY_NAME}) AS may_name`,
    ...measured(request.measures.map((spec) => ({ aggregate: measure(spec, window, 'measures') }))),
  ]
  const having = request.group_filters.flatMap((filter) => filtered(filter, request, window))
  const named = keyColumns(keys)
  const order = sql`${orderOf(request, keys)}, ${columnsNamed(named)}`
  const rows = grouped(window, { keys: named, columns, conditions, having })
  return { keys, conditions, statement: withPrices(paged(rows, order, request), window) }
}

/** On the spans of all groups. */
export const conditionsOf = (request: AgentSpansQueryReq, window: Window): Sql[] => [
  ...matches(request.query, window),
  ...insightConditions(request.insight_filters),
  ...signalConditions(request.signal_filters, window.projectId, spanField('conversation_id', window)!.sql),
]

function orderOf({ sort_by, measures }: AgentSpansQueryReq, keys: readonly GroupKey[]): Sql {
  const asked = sort_by ?? []
  if (asked.length === 0) return measures.length > 0 ? sql`m0 DESC NULLS LAST` : sql`last DESC`
  return commaList(
    asked.map(({ field, direction }) => {
      const column = columnOf(field, keys, measures)
      if (column === undefined) throw errors.badRequest(`Groups can't be sorted by "${field.slice(0, 200)}".`)
      return direction === 'asc'
        ? sql`${ident(column)} ASC NULLS LAST`
        : sql`${ident(column)} DESC NULLS LAST`
    }),
  )
}

function columnOf(
  field: string,
  keys: readonly GroupKey[],
  measures: AgentSpansQueryReq['measures'],
): string | undefined {
  if (FIXED.includes(field) || Object.hasOwn(COSTS, field)) return field
  if (Object.hasOwn(SORTED_BY, field)) return SORTED_BY[field]
  const key = keys.findIndex(({ alias }) => alias === field)
  const metric = measures.findIndex(({ alias }) => alias === field)
  return key >= 0 ? `k${key}` : metric >= 0 ? `m${metric}` : undefined
}

/** The answer's own names, which aliases must not hide. */
const RESERVED = new Set([
  ...FIXED,
  ...Object.keys(COSTS),
  ...Object.keys(SORTED_BY),
  'metrics',
  'group_keys',
  'distributions',
])

function checkAliases(
  { measures, group_distributions }: AgentSpansQueryReq,
  keys: readonly GroupKey[],
): void {
  const check = (field: string, names: readonly string[], taken: readonly string[]) => {
    const bad = names.find((name, i) => RESERVED.has(name) || taken.includes(name) || names.indexOf(name) < i)
    if (bad !== undefined) throw wrong(field, `the alias ${bad} is taken`)
  }
  check(
    'measures',
    measures.map(({ alias }) => alias),
    keys.map(({ alias }) => alias),
  )
  check(
    'group_distributions',
    group_distributions.map(({ alias }) => alias),
    [],
  )
}

/** Conditions of HAVING. @throws 400 if the filter's grouping differs from the query's, 422 without bounds */
function filtered(filter: AgentSpanGroupFilter, { group_by }: AgentSpansQueryReq, window: Window): Sql[] {
  const same = (filter.group_by ?? []).map(({ source, key }) => `${source} ${key}`).join()
  if (same !== '' && same !== (group_by ?? []).map(({ source, key }) => `${source} ${key}`).join())
    throw errors.badRequest('A group filter must have the group_by of the query, or none.')
  return bounded(filter, measure(filter.measure, window, 'group_filters'))
}

/** The condition that a group's measure is within the filter's bounds. @throws 422 without bounds */
export function bounded({ min, max }: AgentSpanGroupFilter, value: Sql): Sql[] {
  if (min == null && max == null) throw wrong('group_filters', 'needs min or max')
  return within(value, boundOf(min), boundOf(max))
}

function boundOf(bound: string | number | null | undefined): number | undefined {
  if (bound == null || typeof bound === 'number') return bound ?? undefined
  const micros = microsOf(bound)
  if (Number.isNaN(micros)) throw wrong('group_filters', 'min and max should be numbers or times')
  return micros
}
