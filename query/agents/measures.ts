/** The span values that a request names for groups and statistics, in SQL. Pure. */
import type {
  AgentAggregation,
  AgentGroupByRef,
  AgentSpanMeasureSpec,
  AgentSpanValueRef,
} from '../../contract/agents.js'
import { COLUMN_KEYS } from '../../domain/agents/keys.js'
import { COUNTS } from '../../domain/calls/one-answer.js'
import { wrong } from '../../domain/calls/read/span.js'
import { AGGREGATES } from '../../domain/calls/read/statistics.js'
import type { PlainValue } from '../../domain/expr/value.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { SPAN_COSTS } from './costs.js'
import { customField, fieldName, spanField } from './fields.js'
import type { Window } from './identity.js'
import { spanCondition } from './query.js'

const GROUPABLE = new Set([
  ...['span_name', 'operation_name', 'provider_name', 'agent_name', 'agent_version', 'agent_id'],
  ...['request_model', 'response_model', 'tool_name', 'tool_type', 'tool_call_id', 'conversation_id'],
  ...['status_code', 'error_type', 'span_kind', 'trace_id', 'span_id', 'platform_user_id', 'wb_user_id'],
  ...['platform_run_id', 'wb_run_id', 'eval_run_id', 'eval_predict_and_score_call_id', 'eval_kind'],
  ...['eval_row_digest', 'eval_example_id', 'eval_trial_index', 'eval_evaluation_name', 'parent_call_id'],
  'parent_call_trace_id',
])

export interface GroupKey {
  alias: string
  /** the field; undefined: a custom attribute */
  field: string | undefined
  value: PlainValue
}

/** The values that spans are grouped by. @throws 400 for a field that can't be grouped by, or an invalid alias */
export function groupKeys(refs: readonly AgentGroupByRef[], window: Window): GroupKey[] {
  const keys = refs.map(({ source, key, alias }): GroupKey => {
    const isField = source === 'field' || source === 'column'
    const field = isField ? fieldName(key) : undefined
    if (isField && (field === undefined || !GROUPABLE.has(field)))
      throw errors.badRequest(`Spans can't be grouped by "${key.slice(0, 200)}".`)
    const value = field === undefined ? customField(source, key, window) : spanField(field, window)!
    return { alias: alias ?? field ?? key, field, value }
  })
  const names = keys.map(({ alias }) => alias)
  const bad = names.find((name, i) => !/^[A-Za-z_]\w*$/.test(name) || names.indexOf(name) < i)
  if (bad !== undefined)
    throw errors.badRequest(
      `"${bad.slice(0, 200)}" can't be a group's alias; each must be a name of its own.`,
    )
  return keys
}

/** The value that a reference names. @throws 400 for an unknown field */
export function valueAt({ source, key }: AgentSpanValueRef, window: Window): PlainValue {
  if (source !== 'field' && source !== 'derived') return customField(source, key, window)
  if (source === 'derived') {
    const { total, input, output } = SPAN_COSTS
    const cost = { total_cost_usd: total, input_cost_usd: input, output_cost_usd: output }[key]
    if (cost !== undefined) return once({ kind: 'number', sql: cost })
    if (!DERIVED.has(key)) throw errors.badRequest(`There is no derived value "${key.slice(0, 200)}".`)
  }
  const value = spanField(key, window)
  if (value === undefined) throw errors.badRequest(`Spans have no field "${key.slice(0, 200)}".`)
  return USAGE.has(key) ? once(value) : value
}

const USAGE = new Set([
  'total_tokens',
  ...Object.keys(COLUMN_KEYS).filter((name) => name.endsWith('_tokens')),
])

/** What an answer used or cost, of one of the spans that tell of it. */
function once(value: PlainValue): PlainValue {
  return { kind: 'number', sql: sql`if(${COUNTS}, ${value.sql}, NULL)` }
}

const DERIVED = new Set(['duration_ms', 'total_tokens', 'is_error', 'is_invocation'])

/** The name of a kind of values in requests. */
export function typeOf({ kind }: PlainValue): 'number' | 'boolean' | 'datetime' | 'string' {
  return ({ number: 'number', bool: 'boolean', time: 'datetime', text: 'string' } as const)[kind]
}

/** @throws 400 if values are not of the type that is stated, if one is */
export function checkType(
  { key }: AgentSpanValueRef,
  value: PlainValue,
  stated: string | null | undefined,
): void {
  const type = typeOf(value)
  if (stated != null && type !== stated)
    throw errors.badRequest(`"${key.slice(0, 200)}" is of the type ${type}, not ${stated}.`)
}

const FITS: Partial<Record<AgentAggregation, readonly string[]>> = {
  sum: ['number'],
  avg: ['number'],
  min: ['number', 'datetime', 'string'],
  max: ['number', 'datetime', 'string'],
  count_true: ['boolean'],
  count_false: ['boolean'],
}

/** @throws 422 if values of the type have no such aggregate */
export function checkAggregation(aggregation: AgentAggregation, type: string, field: string): void {
  const fits = FITS[aggregation]
  if (fits !== undefined && !fits.includes(type))
    throw wrong(field, `${aggregation} is not for values of the type ${type}`)
}

/** A value as aggregates take it: of the rows that match `condition`, by default all. */
export function aggregated({ kind, sql: value }: PlainValue, condition?: Sql): Sql {
  const of = { number: sql`toFloat64(${value})`, time: sql`toUnixTimestamp64Micro(${value})` }
  const plain = kind === 'number' || kind === 'time' ? of[kind] : value
  return condition === undefined ? sql`toNullable(${plain})` : sql`if(${condition}, ${plain}, NULL)`
}

/** A measure: NULL, or 0 for counts, if there is no value. @throws 422, 400 */
export function measure({ aggregation, ...spec }: AgentSpanMeasureSpec, window: Window, field: string): Sql {
  const condition = spec.filter == null ? undefined : sql`(${spanCondition(spec.filter.$expr, window)})`
  if (spec.value == null) {
    if (aggregation !== 'count') throw wrong(field, `only count has no value; ${aggregation} needs one`)
    return condition === undefined ? sql`count()` : sql`countIf(${condition})`
  }
  const value = valueAt(spec.value, window)
  checkType(spec.value, value, spec.value_type)
  checkAggregation(aggregation, typeOf(value), field)
  return AGGREGATES[aggregation](aggregated(value, condition))
}

/** A JSON value as in rows: times in µs become texts later. */
export function outSql(value: PlainValue): Sql {
  if (value.kind === 'time') return sql`toUnixTimestamp64Micro(${value.sql})`
  return value.kind === 'bool' ? sql`CAST(${value.sql}, 'Nullable(Bool)')` : value.sql
}

/** The keys of groups as columns `k0`, … */
export const keyColumns = (keys: readonly GroupKey[]) =>
  keys.map(({ value }, i) => [`k${i}`, outSql(value)] as const)

/** The condition that a value is within bounds. */
export function within(value: Sql, min: number | undefined, max: number | undefined): Sql[] {
  return [
    min === undefined ? sql`` : sql`${value} >= ${bind.float(min)}`,
    max === undefined ? sql`` : sql`${value} <= ${bind.float(max)}`,
  ].filter((one) => !one.empty)
}
