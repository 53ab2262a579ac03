/**
 * SQL that writes a call as one line of JSON: every key of the contract, stored JSON texts as they are, the derived
 * parts spliced into them. Pure; over the columns of `calls` and `calls_open`. It is written for few and cheap
 * functions: an export computes it a million times, and a page of 100 spends as long planning it as reading.
 */

import { bind, ident, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import type { CostsOfCalls } from '../../costs/expression.js'
import { isoText } from '../../expr/iso.js'
import { OTEL_SPAN, OTEL_SPAN_SIZE } from '../otel-span.js'
import { EPOCH, NEVER_SQL, UNSET_INTEGER_SQL } from '../unset.js'
import type { Column } from './columns.js'
import { ENDED_LATENCY_MS, STATUS, TRACE_NAME } from './fields.js'

export interface LineOptions {
  /** `entity/project` */
  project: string
  columns: ReadonlySet<Column>
  /** columns whose values come whatever their size */
  whole: ReadonlySet<Column> | 'all'
  storageSize: boolean
  usernames: boolean
  /** the size of a root's trace, which a column `trace_bytes` has */
  traceSize: boolean
  /** what calls cost, in `summary.weave`; undefined: that isn't asked for */
  costs?: CostsOfCalls | undefined
}

/** Larger values stay out of lists unless their column is asked for. */
export const LARGE_BYTES = 1 << 20
const LARGE = sql`1048576`

/** SQL of the line. */
export function callLine(options: LineOptions): Sql {
  const parts = [...fixed(options), ...chosen(options), sql`'}'`]
  return sql`concat(${join(parts, sql`, `)})`
}

/** Columns that lines are made of. */
export type ColumnName =
  | 'started_at'
  | 'id'
  | 'ver'
  | 'trace_id'
  | 'op_name'
  | 'parent_id'
  | 'thread_id'
  | 'turn_id'
  | 'display_name'
  | 'ended_at'
  | 'exception'
  | 'inputs'
  | 'output'
  | 'attributes'
  | 'otel_span'
  | 'otel_shape'
  | 'otel_origin'
  | 'summary'
  | 'descendant_errors'
  | 'user_id'
  | 'run_id'
  | 'run_step'
  | 'run_step_end'
  | 'expire_at'
  | 'bytes'

/** The columns of the tables that {@link callLine} reads, besides those that every list has. */
export function lineColumnNames({ columns, storageSize, usernames, traceSize }: LineOptions): ColumnName[] {
  const needs: [boolean, ...ColumnName[]][] = [
    [columns.has('parent_id') || columns.has('attributes') || traceSize, 'parent_id'],
    [columns.has('thread_id'), 'thread_id'],
    [columns.has('turn_id'), 'turn_id'],
    // What `summary.weave` is made of comes with every call.
    [true, 'display_name', 'ended_at', 'exception', 'descendant_errors'],
    [columns.has('inputs') || columns.has('attributes'), 'inputs'],
    [columns.has('output') || columns.has('attributes'), 'output'],
    [columns.has('attributes'), 'attributes', 'otel_span', 'otel_shape', 'otel_origin'],
    [columns.has('summary'), 'summary'],
    [columns.has('platform_user_id') || usernames, 'user_id'],
    [columns.has('platform_run_id'), 'run_id'],
    [columns.has('platform_run_step'), 'run_step'],
    [columns.has('platform_run_step_end'), 'run_step_end'],
    [columns.has('expire_at'), 'expire_at'],
    [storageSize, 'bytes'],
  ]
  return needs.flatMap(([needed, ...names]) => (needed ? names : []))
}

/** The same as SQL. */
export function lineColumns(options: LineOptions): Sql[] {
  return lineColumnNames(options).map(ident)
}

/** Columns whose values may be wide, and how often a line may hold one. */
const WIDE: Partial<Record<ColumnName, number>> = {
  inputs: 2,
  output: 2,
  attributes: 1,
  otel_span: 1,
  summary: 1,
  exception: 1,
}

/** A column `width`: about the bytes of a line, or more. The engine reads the lengths of texts alone for it. */
export function lineWidth(options: LineOptions): Sql {
  const widths = lineColumnNames(options).flatMap((name) => {
    const times = WIDE[name]
    return times === undefined ? [] : [sql`${bind.uint(times)} * length(${ident(name)})`]
  })
  return sql`${join([sql`1000`, ...widths], sql` + `)} AS width`
}

const NULL = sql`'null'`
const text = (column: Sql) => sql`toJSONString(${column})`
const textOrNull = (column: Sql) => sql`if(${column} = '', 'null', toJSONString(${column}))`
const stepOrNull = (column: Sql) => sql`if(${column} = ${UNSET_INTEGER_SQL}, 'null', toString(${column}))`
/** A value over the limit is a note of its size: an object, since inputs and attributes are. */
const note = (size: Sql) => sql`concat('{"_omitted":{"bytes":', toString(${size}), '}}')`

function fixed({ project }: LineOptions): Sql[] {
  return [
    sql`'{"id":', ${text(sql`id`)}`,
    sql`',"project_id":', ${bind.string(JSON.stringify(project))}`,
    sql`',"op_name":', ${text(sql`op_name`)}`,
    sql`',"trace_id":', ${text(sql`trace_id`)}`,
    sql`',"started_at":"', ${isoText(sql`started_at`)}, '"'`,
  ]
}

/** Those that may be left out; then they are null, or `{}` where the contract has no null. */
function chosen(options: LineOptions): Sql[] {
  const { columns, storageSize, usernames, traceSize } = options
  const pick = (column: Column, json: Sql, without = NULL) => (columns.has(column) ? json : without)
  const userId = pick('platform_user_id', textOrNull(sql`user_id`))
  const runId = pick('platform_run_id', textOrNull(sql`run_id`))
  const runStep = pick('platform_run_step', stepOrNull(sql`run_step`))
  const runStepEnd = pick('platform_run_step_end', stepOrNull(sql`run_step_end`))
  return [
    sql`',"display_name":', ${pick('display_name', textOrNull(sql`display_name`))}`,
    sql`',"parent_id":', ${pick('parent_id', textOrNull(sql`parent_id`))}`,
    sql`',"thread_id":', ${pick('thread_id', textOrNull(sql`thread_id`))}`,
    sql`',"turn_id":', ${pick('turn_id', textOrNull(sql`turn_id`))}`,
    sql`',"ended_at":', ${pick('ended_at', ENDED_AT)}`,
    sql`',"exception":', ${pick('exception', textOrNull(sql`exception`))}`,
    sql`',"attributes":', ${pick('attributes', attributes(options), sql`'{}'`)}`,
    sql`',"inputs":', ${pick('inputs', document('inputs', sql`inputs`, sql`'{}'`, options), sql`'{}'`)}`,
    sql`',"output":', ${pick('output', document('output', sql`output`, NULL, options))}`,
    sql`',"summary":', ${summary(options)}`,
    sql`',"platform_user_id":', ${userId}, ',"wb_user_id":', ${userId}`,
    sql`',"platform_run_id":', ${runId}, ',"wb_run_id":', ${runId}`,
    sql`',"platform_run_step":', ${runStep}, ',"wb_run_step":', ${runStep}`,
    sql`',"platform_run_step_end":', ${runStepEnd}, ',"wb_run_step_end":', ${runStepEnd}`,
    sql`',"deleted_at":null,"expire_at":', ${pick('expire_at', EXPIRE_AT)}`,
    sql`',"storage_size_bytes":', ${storageSize ? sql`toString(bytes)` : NULL}`,
    sql`',"total_storage_size_bytes":', ${traceSize ? TRACE_SIZE : NULL}`,
    usernames ? USERNAME : sql``,
  ].filter((part) => !part.empty)
}

const TRACE_SIZE = sql`if(parent_id = '', toString(trace_bytes), 'null')`
const ENDED_AT = sql`if(ended_at = ${EPOCH}, 'null', concat('"', ${isoText(sql`ended_at`)}, '"'))`
const EXPIRE_AT = sql`if(expire_at = ${NEVER_SQL}, 'null', formatDateTime(expire_at, '"%Y-%m-%dT%H:%i:%SZ"', 'UTC'))`

/** The name of a call's user, from a map that is made once a query; left out where there is none. */
const USERNAME = sql`if(mapContains(usernames, user_id), concat(',"platform_username":', toJSONString(usernames[user_id]), ',"wb_username":', toJSONString(usernames[user_id])), '')`

/** What stands in WITH where a line has user names. */
export const USERNAMES = sql`(SELECT CAST((groupArray(user_id), groupArray(name)), 'Map(String, String)') FROM (SELECT user_id, argMax(username, ver) AS name FROM api_keys GROUP BY user_id)) AS usernames`

function takesAll(column: Column, { whole }: LineOptions): boolean {
  return whole === 'all' || whole.has(column)
}

function document(name: Column, column: Sql, unset: Sql, options: LineOptions): Sql {
  if (takesAll(name, options)) return sql`if(${column} = '', ${unset}, ${column})`
  return sql`multiIf(${column} = '', ${unset}, length(${column}) > ${LARGE}, ${note(sql`length(${column})`)}, ${column})`
}

/** The span that an exporter sent stands inside the attributes. */
function attributes(options: LineOptions): Sql {
  const size = sql`length(attributes) + ${OTEL_SPAN_SIZE}`
  const large = takesAll('attributes', options) ? sql`` : sql`${size} > ${LARGE}, ${note(size)},`
  return sql`multiIf(${large} otel_span = '', if(attributes = '', '{}', attributes), concat(if(length(attributes) < 3, '{', concat(left(attributes, -1), ',')), '"otel_span":', ${OTEL_SPAN}, '}'))`
}

/** The derived key comes first, whatever was selected, then what the client sent. */
function summary(options: LineOptions): Sql {
  const large = takesAll('summary', options)
    ? sql``
    : sql`length(summary) > ${LARGE}, concat('},', substring(${note(sql`length(summary)`)}, 2)),`
  const sent = sql`multiIf(length(summary) < 3, '}}', ${large} concat('},', substring(summary, 2)))`
  const costs = options.costs ? sql`${options.costs.member},` : sql``
  return sql`'{"weave":{"status":"', ${STATUS}, '"',
    if(ended_at = ${EPOCH}, '', concat(',"latency_ms":', toString(${ENDED_LATENCY_MS}))),
    if(display_name != '', concat(',"display_name":', toJSONString(display_name)), concat(',"trace_name":', toJSONString(${TRACE_NAME}))),
    ${costs}
    ${options.columns.has('summary') ? sent : sql`'}}'`}`
}
