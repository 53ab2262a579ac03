/**
 * SQL that writes a call as one line of JSON: every key of the contract, stored JSON texts as they are, the derived
 * parts spliced into them. Pure; over the columns of `calls` and `calls_open`.
 */
import { bind, join, type Sql, sql } from '../../common/clickhouse/sql.js'
import { isoText } from '../expr/iso.js'
import type { Column } from './columns.js'
import { LATENCY_MS, STATUS, TRACE_NAME } from './fields.js'

export interface LineOptions {
  /** `entity/project` */
  project: string
  columns: ReadonlySet<Column>
  /** columns whose values come whatever their size */
  whole: ReadonlySet<Column> | 'all'
  storageSize: boolean
  usernames: boolean
  /** members for `summary.weave` that other rooms make: SQL of texts like `,"costs":{…}` */
  weave?: readonly Sql[]
}

/** Larger values stay out of lists unless their column is asked for. */
const LARGE = 1 << 20

/** SQL of the line, without its closing brace, so that more keys can follow. */
export function openLine(options: LineOptions): Sql {
  return sql`concat(${join(
    [...fixed(options), ...chosen(options)],
    sql`,
    `,
  )})`
}

const text = (column: Sql) => sql`toJSONString(${column})`
const textOrNull = (column: Sql) => sql`if(${column} = '', 'null', toJSONString(${column}))`
const time = (column: Sql) => sql`'"', ${isoText(column)}, '"'`
const stepOrNull = (column: Sql) =>
  sql`if(${column} = toInt64('-9223372036854775808'), 'null', toString(${column}))`
const NULL = sql`'null'`

function fixed({ project }: LineOptions): Sql[] {
  return [
    sql`'{"id":', ${text(sql`id`)}`,
    sql`',"project_id":', ${bind.string(JSON.stringify(project))}`,
    sql`',"op_name":', ${text(sql`op_name`)}`,
    sql`',"trace_id":', ${text(sql`trace_id`)}`,
    sql`',"started_at":', ${time(sql`started_at`)}`,
  ]
}

/** Those that may be left out; then they are null, or `{}` where the contract has no null. */
function chosen(options: LineOptions): Sql[] {
  const pick = (column: Column, json: Sql, without = NULL) => (options.columns.has(column) ? json : without)
  const large = (column: Column, document: Sql) => bounded(document, column, options)
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
    sql`',"attributes":', ${pick('attributes', large('attributes', ATTRIBUTES), sql`'{}'`)}`,
    sql`',"inputs":', ${pick('inputs', large('inputs', sql`if(inputs = '', '{}', inputs)`), sql`'{}'`)}`,
    sql`',"output":', ${pick('output', large('output', sql`if(output = '', 'null', output)`))}`,
    sql`',"summary":', ${pick('summary', summary(options))}`,
    sql`',"platform_user_id":', ${userId}, ',"wb_user_id":', ${userId}`,
    sql`',"platform_run_id":', ${runId}, ',"wb_run_id":', ${runId}`,
    sql`',"platform_run_step":', ${runStep}, ',"wb_run_step":', ${runStep}`,
    sql`',"platform_run_step_end":', ${runStepEnd}, ',"wb_run_step_end":', ${runStepEnd}`,
    sql`',"deleted_at":null,"expire_at":', ${pick('expire_at', EXPIRE_AT)}`,
    sql`',"storage_size_bytes":', ${options.storageSize ? sql`toString(bytes)` : NULL}`,
    options.usernames ? USERNAME : sql``,
  ]
}

const ENDED_AT = sql`if(ended_at = toDateTime64(0, 6, 'UTC'), 'null', concat(${time(sql`ended_at`)}))`

const EXPIRE_AT = sql`if(expire_at = toDateTime(4294967295), 'null', formatDateTime(expire_at, '"%Y-%m-%dT%H:%i:%SZ"', 'UTC'))`

/** The name of a call's user, from a map that is made once a query; left out where there is none. */
const USERNAME = sql`if(mapContains(usernames, user_id), concat(',"platform_username":', toJSONString(usernames[user_id]), ',"wb_username":', toJSONString(usernames[user_id])), '')`

/** WITH of the map that {@link USERNAME} reads. */
export const USERNAMES = sql`(SELECT CAST((groupArray(user_id), groupArray(name)), 'Map(String, String)') FROM (SELECT user_id, argMax(username, ver) AS name FROM api_keys GROUP BY user_id)) AS usernames`

/** The span that an exporter sent stands inside the attributes. */
const ATTRIBUTES = sql`multiIf(otel_span = '', if(attributes = '', '{}', attributes), attributes IN ('', '{}'), concat('{"otel_span":', otel_span, '}'), concat(substring(attributes, 1, length(attributes) - 1), ',"otel_span":', otel_span, '}'))`

/** A large value as a note of its size: an object, since inputs and attributes are. */
function bounded(json: Sql, column: Column, { whole }: LineOptions): Sql {
  if (whole === 'all' || whole.has(column)) return json
  return sql`if(length(${json}) > ${bind.uint(LARGE)}, concat('{"_omitted":{"bytes":', toString(length(${json})), '}}'), ${json})`
}

function summary(options: LineOptions): Sql {
  const rest = bounded(sql`summary`, 'summary', options)
  const weave = sql`concat('{"status":"', ${STATUS}, '"',
    if(isNull(${LATENCY_MS}), '', concat(',"latency_ms":', toString(assumeNotNull(${LATENCY_MS})))),
    if(display_name != '', ',"display_name":', ',"trace_name":'),
    toJSONString(if(display_name != '', display_name, ${TRACE_NAME})), ${join([...(options.weave ?? []), sql`'}'`], sql`, `)})`
  return sql`concat('{"weave":', ${weave}, if(summary IN ('', '{}'), '}', concat(',', substring(${rest}, 2))))`
}
