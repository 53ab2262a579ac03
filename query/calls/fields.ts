/** The fields of calls that a query can name, and the SQL of each over the columns of `calls` and `calls_open`. Pure. */
import { pathSegments } from '../../common/calls/leaves.js'
import { OTEL_SPAN } from '../../common/calls/otel-span.js'
import { EPOCH, NEVER_SQL, UNSET_INTEGER_SQL } from '../../common/calls/unset.js'
import { bind, type Sql, sql } from '../../common/clickhouse/sql.js'
import { canonicalName } from '../../common/contract/aliases.js'
import { projectIdOf } from '../../common/ids/project.js'
import type { Fields, PlainValue, Value } from '../expr/value.js'
import { hangingField } from '../feedback/call-fields.js'

const text = (column: Sql): PlainValue => ({ kind: 'text', sql: column })
/** Unset and empty are one value, which sorts before all others. */
const textOrUnset = (column: Sql): PlainValue => ({ kind: 'text', sql: column, unset: sql`(${column} = '')` })
const step = (column: Sql): PlainValue => ({
  kind: 'number',
  sql: sql`nullIf(${column}, ${UNSET_INTEGER_SQL})`,
})

/** error, running, descendant_error or success; contract §2 */
export const STATUS = sql`multiIf(exception != '', 'error', ended_at = ${EPOCH}, 'running', descendant_errors > 0, 'descendant_error', 'success')`

const ELAPSED = sql`intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)`

/** Whole ms; NULL while the call runs. */
export const LATENCY_MS = sql`if(ended_at = ${EPOCH}, NULL, ${ELAPSED})`

/** Whole ms of a call that has ended. */
export const ENDED_LATENCY_MS = ELAPSED

/** The name in an op ref, or the whole op name. */
export const TRACE_NAME = sql`if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', ${bind.string('\\1')})), op_name)`

/** Fields that are a column, or derived from some, by canonical name. */
const PLAIN = new Map<string, PlainValue>([
  ['id', text(sql`id`)],
  ['trace_id', text(sql`trace_id`)],
  ['parent_id', textOrUnset(sql`parent_id`)],
  ['thread_id', textOrUnset(sql`thread_id`)],
  ['turn_id', textOrUnset(sql`turn_id`)],
  ['op_name', text(sql`op_name`)],
  ['display_name', textOrUnset(sql`display_name`)],
  ['exception', textOrUnset(sql`exception`)],
  ['started_at', { kind: 'time', sql: sql`started_at` }],
  ['ended_at', { kind: 'time', sql: sql`nullIf(ended_at, ${EPOCH})` }],
  ['deleted_at', { kind: 'time', sql: sql`CAST(NULL, 'Nullable(DateTime64(6, \\'UTC\\'))')` }],
  ['expire_at', { kind: 'time', sql: sql`toDateTime64(nullIf(expire_at, ${NEVER_SQL}), 6, 'UTC')` }],
  ['platform_user_id', textOrUnset(sql`user_id`)],
  ['platform_run_id', textOrUnset(sql`run_id`)],
  ['platform_run_step', step(sql`run_step`)],
  ['platform_run_step_end', step(sql`run_step_end`)],
  ['summary.weave.status', text(STATUS)],
  ['summary.weave.latency_ms', { kind: 'number', sql: LATENCY_MS }],
  // What a list shows as the name of a call, so that sorting by it sorts what is seen.
  ['summary.weave.trace_name', text(sql`if(display_name != '', display_name, ${TRACE_NAME})`)],
])

/** Columns of JSON text, and whether leaves of theirs are indexed. */
const JSON_COLUMNS = new Map<string, { document: Sql; indexed: boolean }>([
  ['inputs', { document: sql`inputs`, indexed: true }],
  ['output', { document: sql`output`, indexed: true }],
  ['attributes', { document: sql`attributes`, indexed: true }],
  ['summary', { document: sql`summary`, indexed: false }],
])

/** Longest name of a field, in characters. */
const NAME_LIMIT = 2000

/**
 * The fields of a project's calls.
 * @param project `entity/project`
 * @param others asked first: paths that lead through refs
 */
export function callFields(project: string, others: Fields = () => undefined): Fields {
  return (name) => {
    if (name.length > NAME_LIMIT) return undefined
    return (
      others(name) ?? plainField(name, project) ?? jsonField(name) ?? hangingField(name, projectIdOf(project))
    )
  }
}

function plainField(name: string, project: string): Value | undefined {
  const canonical = canonicalName(name)
  if (canonical === 'project_id') return { kind: 'text', sql: sql`${bind.string(project)}` }
  return PLAIN.get(canonical)
}

function jsonField(name: string): Value | undefined {
  const [root = '', ...path] = pathSegments(name)
  const column = JSON_COLUMNS.get(root)
  if (!column) return undefined
  if (root === 'summary' && path[0] === 'weave') return undefined
  if (root === 'attributes' && path[0] === 'otel_span')
    return { kind: 'json', document: OTEL_SPAN, path: path.slice(1) }
  const value = { kind: 'json', document: column.document, path } as const
  return column.indexed ? { ...value, leaf: name } : value
}
