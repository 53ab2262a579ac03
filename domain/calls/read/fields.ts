/** The fields of calls in queries, and their SQL over the columns of `calls` and `calls_open`. Pure. */

import { canonicalName } from '../../../contract/aliases.js'
import { bind, ident, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { spanLeafPaths } from '../../conventions/leaf-paths.js'
import { pricesOf, totalCost } from '../../costs/expression.js'
import { COMPLETION, modelsOf, PROMPT, TOTAL, usagesOf } from '../../costs/usages.js'
import type { Fields, JsonValue, PlainValue, Value } from '../../expr/value.js'
import { attachedField } from '../../feedback/call-fields.js'
import { callsOf } from '../calls-of.js'
import { pathSegments } from '../leaves.js'
import { OTEL_SPAN } from '../otel-span.js'
import { CALL_COLUMNS, type Kind } from '../schema.js'
import { placedValue, type SpanPlaces } from '../span-places.js'
import { EPOCH, NEVER_SQL, UNSET_INTEGER_SQL } from '../unset.js'

const text = (column: Sql): PlainValue => ({ kind: 'text', sql: column })

/** The value of a column in a query, by kind. */
const VALUES: Partial<Record<Kind, (column: Sql) => PlainValue>> = {
  text,
  // Unset equals empty, and sorts first.
  textOrUnset: (column) => ({ kind: 'text', sql: column, unset: sql`(${column} = '')` }),
  time: (column) => ({ kind: 'time', sql: column }),
  timeOrUnset: (column) => ({ kind: 'time', sql: sql`nullIf(${column}, ${EPOCH})` }),
  integerOrUnset: (column) => ({ kind: 'number', sql: sql`nullIf(${column}, ${UNSET_INTEGER_SQL})` }),
  expiry: (column) => ({ kind: 'time', sql: sql`toDateTime64(nullIf(${column}, ${NEVER_SQL}), 6, 'UTC')` }),
}

/** error, running, descendant_error or success; contract §2 */
const STATUS = sql`multiIf(exception != '', 'error', ended_at = ${EPOCH}, 'running', descendant_errors > 0, 'descendant_error', 'success')`

/** µs; below 0 while the call runs. An index of `calls` has its extremes. */
const ELAPSED = sql`toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)`

/** Whole ms; NULL while the call runs. */
export const LATENCY_MS = sql`if(ended_at = ${EPOCH}, NULL, intDiv(${ELAPSED}, 1000))`

/** ms, with a fraction; NULL if it is unknown. */
export const FIRST_TOKEN_MS = sql`if(first_token = 0, NULL, first_token / 1000)`

/** True for calls with a latency of at least `ms`, which is above 0. Unlike a comparison of {@link LATENCY_MS}, it uses the index. */
export const tookAtLeast = (ms: number): Sql => sql`${ELAPSED} >= ${bind.int(ms * 1000)}`

/** Calls among which a latency is looked for that few have, and how many of them may. */
const [NEWEST, FEW] = [50_000, 5]

/**
 * True for calls that took as long as a few of the project's newest whole ones. The engine computes that latency before it
 * reads, so the index applies.
 */
export function tookAsFew(projectId: string): Sql {
  const newest = sql`SELECT ${ELAPSED} AS took FROM ${callsOf(projectId)} WHERE project_id = ${bind.string(projectId)}
    ORDER BY started_at DESC LIMIT ${bind.uint(NEWEST)}`
  // Lists are by whole ms, and those below one have no order.
  return sql`${ELAPSED} >= (SELECT greatest(intDiv(min(took), 1000), 1) * 1000 FROM (SELECT took FROM (${newest}) ORDER BY took DESC LIMIT ${bind.uint(FEW)}))`
}

/** The name in an op ref, or the whole op name. */
export const TRACE_NAME = sql`if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', ${bind.string('\\1')})), op_name)`

/** The first model whose usage a call has, or the one that a span asked for; '' if none is known. */
const MODEL = sql`coalesce(nullIf(arrayElement(${modelsOf(sql`summary`)}, 1), ''), request_model)`

/** A count over the usage in a call's summary; NULL where there is none. */
const tokens = (count: Sql): PlainValue => ({
  kind: 'number',
  sql: sql`if(empty(${usagesOf(sql`summary`)} AS own_usages), NULL, arraySum(usage -> ${count}, own_usages))`,
})

/**
 * What a call's own usage cost; NULL if no price is known. The engine looks the prices of the project's models up once for a
 * statement.
 */
function costOf(projectId: string): PlainValue {
  const models = sql`SELECT DISTINCT arrayJoin(${modelsOf(sql`summary`)}) AS model FROM ${callsOf(projectId)}
    WHERE project_id = ${bind.string(projectId)}`
  const total = totalCost(sql`call_prices`, usagesOf(sql`summary`), sql`started_at`)
  return {
    kind: 'number',
    sql: sql`if(empty((${pricesOf(projectId, models)} AS call_prices).models), NULL, ${total})`,
  }
}

/** Fields that are a column, or derived from some, by canonical name. */
const PLAIN = new Map<string, PlainValue>([
  ...CALL_COLUMNS.flatMap(({ name, kind, field }): [string, PlainValue][] => {
    const value = VALUES[kind]?.(ident(name))
    return field && value ? [[field, value]] : []
  }),
  ['end_user', VALUES.textOrUnset!(ident('end_user'))],
  ['deleted_at', { kind: 'time', sql: sql`CAST(NULL, 'Nullable(DateTime64(6, \\'UTC\\'))')` }],
  ['summary.weave.status', text(STATUS)],
  ['summary.weave.latency_ms', { kind: 'number', sql: LATENCY_MS }],
  ['summary.weave.time_to_first_token_ms', { kind: 'number', sql: FIRST_TOKEN_MS }],
  ['summary.weave.op', text(TRACE_NAME)],
  ['summary.weave.model', { ...text(MODEL), unset: sql`(${MODEL} = '')` }],
  ['summary.weave.input_tokens', tokens(PROMPT)],
  ['summary.weave.output_tokens', tokens(COMPLETION)],
  ['summary.weave.total_tokens', tokens(TOTAL)],
  // The name shown in lists, so that sorting by it matches what users see.
  ['summary.weave.trace_name', text(sql`if(display_name != '', display_name, ${TRACE_NAME})`)],
])

/** The value of a plain field that all projects have. @throws Error for another */
export function sqlOfField(path: string): Sql {
  const value = PLAIN.get(canonicalName(path))
  if (value === undefined) throw new Error(`${path} is no plain field of calls.`)
  return value.sql
}

/** Columns with JSON text, and whether their leaves are indexed. */
const JSON_COLUMNS = new Map<string, { document: Sql; indexed: boolean }>([
  ...CALL_COLUMNS.flatMap(
    ({ name, kind, field, indexed }): [string, { document: Sql; indexed: boolean }][] =>
      field && kind === 'json' ? [[field, { document: ident(name), indexed: indexed === true }]] : [],
  ),
])

/** The longest field name, in characters. */
const NAME_LIMIT = 2000

/**
 * The fields of a project's calls.
 * @param project `entity/project`
 * @param others consulted first: paths that lead through refs
 * @param places where attributes of the project's spans are; absent: in their whole text
 */
export function callFields(project: string, others: Fields = () => undefined, places?: SpanPlaces): Fields {
  return (name) => {
    if (name.length > NAME_LIMIT) return undefined
    return (
      others(name) ??
      plainField(name, project) ??
      jsonField(name, places) ??
      attachedField(name, projectIdOf(project))
    )
  }
}

function plainField(name: string, project: string): Value | undefined {
  const canonical = canonicalName(name)
  if (canonical === 'summary.weave.cost') return costOf(projectIdOf(project))
  if (canonical === 'project_id') return { kind: 'text', sql: sql`${bind.string(project)}` }
  return PLAIN.get(canonical)
}

function jsonField(name: string, places?: SpanPlaces): Value | undefined {
  const [root = '', ...path] = pathSegments(name)
  const column = JSON_COLUMNS.get(root)
  if (!column) return undefined
  if (root === 'summary' && path[0] === 'weave') return undefined
  if (root === 'attributes' && path[0] === 'otel_span') return spanField(path.slice(1), places)
  const value = { kind: 'json', document: column.document, column: column.document, path } as const
  return column.indexed ? { ...value, leaves: [[root, ...path]] } : value
}

/** A value in the text of an exporter's span. */
function spanField(path: readonly string[], places?: SpanPlaces): JsonValue {
  const value: JsonValue = { kind: 'json', document: OTEL_SPAN, path }
  const [root, ...rest] = path
  if (root !== 'attributes') return value
  const indexed = { ...value, leaves: spanLeafPaths(rest), unindexed: sql`span_indexed = 0` }
  const place = places?.(rest)
  return place ? { ...indexed, ...placedValue(place, rest), path: place.rest, sound: true } : indexed
}
