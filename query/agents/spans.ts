/** Statements that list agents' spans: first their places, then the rows. Pure. */
import type { AgentSpansQueryReq } from '../../contract/agents.js'
import type { Operation } from '../../contract/query-expr.js'
import { OTEL_SPAN } from '../../domain/calls/otel-span.js'
import { orderTerms } from '../../domain/expr/order.js'
import type { Value } from '../../domain/expr/value.js'
import { orderBy } from '../../domain/lists/sql.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { SPAN_COSTS, withPrices } from './costs.js'
import { customField, fieldName, spanField } from './fields.js'
import { spansOf, type Window } from './identity.js'
import { spanCondition } from './query.js'
import { SPAN_ROW } from './span-rows.js'

/** A span's place. Its id is only unique within its trace. */
export interface Place {
  started: number
  id: string
  trace_id: string
}

/** A place as a key of maps. */
export const placeName = ({ started, id, trace_id }: Place): string => `${started} ${id} ${trace_id}`

/** The columns of a {@link Place}. */
export const PLACE = sql`toUnixTimestamp64Micro(started_at) AS started, id, trace_id`

/** The condition of `query`. @param window undefined: uses only the spans' own facts */
export function matches(query: { $expr: Operation } | null | undefined, window: Window | undefined): Sql[] {
  return query == null ? [] : [sql`(${spanCondition(query.$expr, window)})`]
}

export function countStatement(window: Window, conditions: readonly Sql[]): Sql {
  return sql`SELECT count() AS total ${spansOf(window, conditions)}`
}

/** @throws 400 for a field that spans can't be sorted by */
export function placesStatement(
  request: AgentSpansQueryReq,
  window: Window,
  conditions: readonly Sql[],
): Sql {
  const asked = request.sort_by ?? []
  const terms = asked.flatMap(({ field, direction }) =>
    orderTerms(sortValue(field, request, window), direction),
  )
  const down = (asked[0]?.direction ?? 'desc') === 'desc'
  const way = down ? sql`DESC` : sql`ASC`
  const last = [...(asked.length > 0 ? [] : [sql`started_at DESC`]), sql`id ${way}`, sql`trace_id ${way}`]
  const order = orderBy(terms, last)
  const places = sql`SELECT ${PLACE} ${spansOf(window, conditions, order)}
  ORDER BY ${order} LIMIT ${bind.uint(request.limit)} OFFSET ${bind.uint(request.offset)}`
  return withPrices(places, window)
}

function sortValue(
  field: string,
  { include_costs, custom_attr_columns }: AgentSpansQueryReq,
  window: Window,
): Value {
  const priced = COSTS.find(([name]) => name === field)
  if (priced !== undefined && include_costs) return { kind: 'number', sql: SPAN_COSTS[priced[1]] }
  const custom = custom_attr_columns.find(({ source, key }) => `${source}.${key}` === field)
  if (custom !== undefined) return customField(custom.source, custom.key, window)
  const name = fieldName(field)
  if (name === undefined) throw errors.badRequest(`Spans can't be sorted by "${field.slice(0, 200)}".`)
  return spanField(name, window)!
}

const COSTS = [
  ['input_cost_usd', 'input'],
  ['output_cost_usd', 'output'],
  ['cache_read_cost_usd', 'cacheRead'],
  ['cache_creation_cost_usd', 'cacheCreation'],
  ['total_cost_usd', 'total'],
] as const

/** {@link SPAN_ROW} of `spans`, in order of start. */
export function rowsStatement(spans: Sql): Sql {
  return sql`SELECT ${SPAN_ROW} ${spans} ORDER BY started_at, id`
}

/** The condition that a span is one of these. */
export function at(places: readonly Place[]): Sql {
  const starts = bind.ints(places.map(({ started }) => started))
  const ids = bind.strings(places.map(({ id }) => id))
  const traces = bind.strings(places.map(({ trace_id }) => trace_id))
  return sql`(started_at, id, trace_id) IN (SELECT fromUnixTimestamp64Micro(key.1, 'UTC'), key.2, key.3 FROM (SELECT arrayJoin(arrayZip(${starts}, ${ids}, ${traces})) AS key))`
}

/** The number of newest spans sampled for their attributes. */
const SAMPLE = 20_000

/** A column `text`, the text of each of the newest spans. */
export function attributesStatement(window: Window, conditions: readonly Sql[]): Sql {
  return sql`SELECT ${OTEL_SPAN} AS text ${spansOf(window, conditions)} ORDER BY started_at DESC LIMIT ${bind.uint(SAMPLE)}`
}
