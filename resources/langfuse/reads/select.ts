/** The calls that a query of Langfuse's SDKs selects, as conditions. Pure. */
import type { LangfuseFilter } from '../../../contract/langfuse-filter.js'
import type { ObservationQuery, SessionQuery, TraceQuery } from '../../../contract/langfuse-reads.js'
import type { Operand, Operation } from '../../../contract/query-expr.js'
import { callFields } from '../../../domain/calls/read/fields.js'
import type { Order } from '../../../domain/calls/read/order.js'
import { visibleRows } from '../../../domain/calls/read/visible.js'
import type { SpanPlaces } from '../../../domain/calls/span-places.js'
import { compileExpr } from '../../../domain/expr/compile.js'
import { safeName } from '../../../domain/refs/op-name.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import type { Place } from '../cursor.js'
import { callColumns, LANGFUSE, readBy, traceColumns } from '../query/calls.js'
import { type Columns, conditionOf, conditionsOf } from '../query/column.js'

const ENVIRONMENT = `${LANGFUSE}.environment`

const field = (name: string): Operand => ({ $getField: name })
const literal = (value: string) => ({ $literal: value })
const equal = (name: string, value: string): Operation => ({ $eq: [field(name), literal(value)] })

/** The root calls that a query of traces selects. */
export function traceConditions(project: string, query: TraceQuery, places?: SpanPlaces): Sql[] {
  const { userId, name, sessionId, fromTimestamp, toTimestamp, version, release, environment } = query
  const { tags, filter } = query
  const columns = () => traceColumns(project, readBy(project, places))
  return [
    sql`parent_id = ''`,
    ...within(fromTimestamp, toTimestamp),
    ...given(sessionId, (id) => sql`thread_id = ${bind.string(id)}`),
    ...compiled(project, places, [
      ...given(userId, (id) => equal('attributes.user_id', id)),
      ...given(name, called),
      ...given(version, (text) => equal(`${LANGFUSE}.version`, text)),
      ...given(release, (text) => equal(`${LANGFUSE}.release`, text)),
      ...given(environment, inEnvironment),
    ]),
    ...given(tags, (value) => conditionOf(columns(), { column: 'tags', operator: 'all of', value })),
    ...given(filter, (all) => conditionsOf(columns(), all)).flat(),
  ]
}

/** The order that a query of traces asks for; undefined: by time alone. Those without a value come last. */
export function traceOrder(project: string, { orderBy }: TraceQuery, places?: SpanPlaces): Order | undefined {
  const { name, direction } = orderOf(orderBy)
  if (name === 'timestamp') return undefined
  const { columns } = traceColumns(project, readBy(project, places))
  const terms = [sql`nullIf(${columns.get(name)!.sql}, '')`, sql`id`]
  return { kind: 'free', terms: terms.map((value) => ({ value, direction })) }
}

export function orderOf(orderBy: string) {
  const [name = '', direction] = orderBy.split('.')
  return { name, direction: direction === 'asc' ? 'asc' : 'desc' } as const
}

/** The calls that a query of observations selects. */
export function observationConditions(project: string, query: ObservationQuery, places?: SpanPlaces): Sql[] {
  const { traceId, parentObservationId, fromStartTime, toStartTime, sessionId, level } = query
  return [
    OBSERVED,
    ...given(traceId, (id) => sql`trace_id = ${bind.string(id)}`),
    ...given(parentObservationId, (id) => sql`parent_id = ${bind.string(id)}`),
    ...given(sessionId, (id) => sql`thread_id = ${bind.string(id)}`),
    ...within(fromStartTime, toStartTime),
    ...compiled(project, places, [
      ...given(query.userId, (id) => equal('attributes.user_id', id)),
      ...given(query.name, called),
      ...given(query.type, (type) => orNone('attributes.kind', [type.toLowerCase()], 'span')),
      ...given(query.version, (text) => equal(`${LANGFUSE}.version`, text)),
      ...given(query.environment, inEnvironment),
      ...given(level, hasLevel),
    ]),
    ...given(query.filter, (all) => {
      const [byTrace, own] = [all.filter(isOfTraceName), all.filter((one) => !isOfTraceName(one))]
      const columns = callColumns(project, readBy(project, places))
      return [
        ...byTrace.map((filter) => hasTraceName(project, columns, filter, places)),
        ...conditionsOf(columns, own),
      ]
    }).flat(),
  ]
}

const isOfTraceName = ({ column }: LangfuseFilter) => column === 'traceName'

/** By the name of the trace that a call says itself, else by that of the trace. */
function hasTraceName(
  project: string,
  columns: Columns,
  filter: LangfuseFilter,
  places: SpanPlaces | undefined,
): Sql {
  const named = conditionOf(traceColumns(project, readBy(project, places)), { ...filter, column: 'name' })
  const traces = visibleRows(sql`trace_id`, projectIdOf(project), [sql`parent_id = ''`, named])
  const own = columns.columns.get('traceName')!.sql
  return sql`if(${own} = '', trace_id IN (${traces}), ${conditionOf(columns, filter)})`
}

/** The calls of the sessions that a query selects. */
export function sessionConditions(project: string, query: SessionQuery, places?: SpanPlaces): Sql[] {
  const { fromTimestamp, toTimestamp, environment } = query
  return [
    ...within(fromTimestamp, toTimestamp),
    ...compiled(project, places, given(environment, inEnvironment)),
  ]
}

/** Not for the call that stands for a trace alone, as the older SDKs' traces have it; its id is `rootIdOf`. */
export const OBSERVED = sql`(parent_id != '' OR id != lower(substring(hex(SHA256(concat('langfuse trace ', trace_id))), 1, 16)))`

/** What comes after a place, newest first. */
export function after({ created, id }: Place): Sql {
  return sql`(toUnixTimestamp64Micro(started_at), id) < (${bind.int(created)}, ${bind.string(id)})`
}

export function within(from: string | undefined, to: string | undefined): Sql[] {
  const micros = (time: string) => sql`fromUnixTimestamp64Micro(${bind.int(Date.parse(time) * 1000)})`
  return [
    ...given(from, (time) => sql`started_at >= ${micros(time)}`),
    ...given(to, (time) => sql`started_at < ${micros(time)}`),
  ]
}

function given<Value, Made>(value: Value | undefined, make: (value: Value) => Made): Made[] {
  return value === undefined ? [] : [make(value)]
}

function compiled(project: string, places: SpanPlaces | undefined, conditions: readonly Operation[]): Sql[] {
  const fields = callFields(project, undefined, places)
  return conditions.map((condition) => sql`(${compileExpr(condition, fields)})`)
}

/** By the op that spans of this name belong to. */
const called = (name: string): Operation => ({
  $contains: { input: field('op_name'), substr: literal(`/op/${safeName(name)}:`) },
})

const inEnvironment = (names: readonly string[]) => orNone(ENVIRONMENT, names, 'default')

/** One of some values; nothing counts as `fallback`. */
function orNone(name: string, values: readonly string[], fallback: string): Operation {
  const isOne: Operation = { $in: [field(name), values.map(literal)] }
  return values.includes(fallback) ? { $or: [isOne, isNull(name)] } : isOne
}

/** True for an absent value. */
const isNull = (name: string): Operation => ({
  $eq: [{ $convert: { input: field(name), to: 'exists' } }, { $literal: false }],
})

function hasLevel(level: string): Operation {
  const hasError: Operation = { $not: [isNull('exception')] }
  const says = equal(`${LANGFUSE}.observation.level`, level)
  if (level === 'ERROR') return { $or: [hasError, says] }
  if (level !== 'DEFAULT') return says
  return { $and: [{ $not: [hasError] }, { $or: [says, isNull(`${LANGFUSE}.observation.level`)] }] }
}
