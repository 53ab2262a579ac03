/**
 * Stores the text of an exporter's span in three columns, and rebuilds it. Spans of one instrumentation differ only in
 * their values, so the text around the values is shared (`otel_shape`), as is its end, the scope and the resource
 * (`otel_origin`); `otel_span` has the values. Content of inputs, output, the ids or the times is not stored again. Control
 * characters mark the places, since JSON text has none. If `otel_shape` is empty, `otel_span` is the whole text.
 */
import { type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { CallColumn } from './schema.js'

/** The marks in a shape. {@link MARKS.value} also separates the values in `otel_span`. */
export const MARKS = {
  /** The next value. */
  value: '\x01',
  /** All of inputs; the value of its only key. */
  inputs: '\x02',
  inputsValue: '\x03',
  /** The same for output. */
  output: '\x04',
  outputValue: '\x05',
  /** The span's ids, where they equal the call's. */
  traceId: '\x06',
  id: '\x07',
  parentId: '\x08',
  /** The span's times down to the µs, where they equal the call's: what toString makes of them, with a T. */
  start: '\x0e',
  end: '\x0f',
} as const

/** The columns that {@link OTEL_SPAN} reads. */
export const SPAN_COLUMNS = [
  ...(['id', 'trace_id', 'parent_id', 'started_at', 'ended_at'] as const),
  ...(['inputs', 'output', 'otel_span', 'otel_shape', 'otel_origin'] as const),
] satisfies readonly CallColumn[]

/** The value of a JSON object with a single key, whose name has no quote. */
const onlyValue = (column: Sql): Sql =>
  sql`substring(${column}, position(${column}, '":') + 2, length(${column}) - position(${column}, '":') - 2)`

const isoText = (column: Sql): Sql => sql`replaceOne(toString(${column}), ' ', 'T')`
const withTimes = sql`replaceOne(replaceOne(toString(otel_shape), '\\x0e', ${isoText(sql`started_at`)}), '\\x0f', ${isoText(sql`ended_at`)})`
const withIds = sql`replaceOne(replaceOne(replaceOne(${withTimes}, '\\x06', trace_id), '\\x07', id), '\\x08', parent_id)`
const withValues = sql`arrayStringConcat(arrayMap((around, value) -> concat(around, value), splitByChar('\\x01', ${withIds}), splitByChar('\\x01', if(otel_shape = '', '', otel_span))))`
const withInputs = sql`replaceOne(replaceOne(${withValues}, '\\x02', inputs), '\\x03', ${onlyValue(sql`inputs`)})`
const withOutput = sql`replaceOne(replaceOne(${withInputs}, '\\x04', output), '\\x05', ${onlyValue(sql`output`)})`

/** The span's JSON text; '' for a call without one. */
export const OTEL_SPAN = sql`if(otel_shape = '', otel_span, concat(${withOutput}, otel_origin))`

/** The name of the span as it was sent; '' for a call without one. It is the first value, or the first member of the whole. */
export const SPAN_NAME = sql`if(startsWith(otel_span, '{'), JSONExtractString(otel_span, 'name'), JSONExtractString(substringIndex(otel_span, '\\x01', 1)))`

/** The values of these columns for a row that gets another output: the text in one piece. */
export const SPAN_IN_ONE_PIECE: Partial<Record<CallColumn, Sql>> = {
  otel_span: OTEL_SPAN,
  otel_shape: sql`''`,
  otel_origin: sql`''`,
}
