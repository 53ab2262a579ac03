/**
 * The columns of the tables `calls` and `calls_open` as a block sends them: names, and the types their bytes are
 * declared as. LowCardinality columns of short texts go as plain String and `kind` as Int8: the engine converts. `expire_at` is
 * left out, so that the table's default holds.
 */

/** Types as the Native header declares them. */
type NativeType =
  | 'String'
  | 'LowCardinality(String)'
  | 'Int8'
  | 'UInt32'
  | 'Int64'
  | 'UInt64'
  | "DateTime64(6, 'UTC')"
  | 'Array(UInt32)'

/** A call's columns, in the order they are sent. */
export const CALL_COLUMNS = [
  ['project_id', 'String'],
  ['id', 'String'],
  ['trace_id', 'String'],
  ['parent_id', 'String'],
  ['thread_id', 'String'],
  ['turn_id', 'String'],
  ['op_name', 'String'],
  ['display_name', 'String'],
  ['started_at', "DateTime64(6, 'UTC')"],
  ['ended_at', "DateTime64(6, 'UTC')"],
  ['exception', 'String'],
  ['inputs', 'String'],
  ['output', 'String'],
  ['attributes', 'String'],
  ['summary', 'String'],
  ['otel_span', 'String'],
  ['otel_shape', 'LowCardinality(String)'],
  ['otel_origin', 'LowCardinality(String)'],
  ['descendant_errors', 'UInt32'],
  ['user_id', 'String'],
  ['run_id', 'String'],
  ['run_step', 'Int64'],
  ['run_step_end', 'Int64'],
  ['leaves', 'Array(UInt32)'],
  ['bytes', 'UInt64'],
  ['ver', 'UInt64'],
] as const satisfies readonly (readonly [string, NativeType])[]

/** What `calls_open` has besides. */
export const KIND_COLUMN = ['kind', 'Int8'] as const

/** Which table a block is for. */
export type CallTable = 'calls' | 'calls_open'

/** Values of `calls_open.kind`. */
export const KIND = { start: 1, end: 2 } as const

/** The name of a column of either table that a block sends. */
export type CallColumn = (typeof CALL_COLUMNS)[number][0] | 'kind'

/** The names of the columns that a block for `table` sends, in order. */
export function columnNames(table: CallTable): CallColumn[] {
  const names: CallColumn[] = CALL_COLUMNS.map(([name]) => name)
  return table === 'calls' ? names : [...names, KIND_COLUMN[0]]
}

/** The statement that a block for `table` is the body of. */
export function insertStatement(table: CallTable): string {
  return `INSERT INTO ${table} (${columnNames(table).join(', ')}) FORMAT Native`
}
