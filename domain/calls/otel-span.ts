/**
 * How the text of an exporter's span is kept in three columns, and put together again. Spans of one instrumentation
 * differ in their values alone, so the text around the values is shared (`otel_shape`), as is its end, the scope and
 * the resource (`otel_origin`); `otel_span` has the values. What stands in inputs, output or the columns of ids already
 * is not kept a second time. Control characters mark the places: JSON text has none. Where `otel_shape` is empty,
 * `otel_span` is the whole text.
 */
import { type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { CallColumn } from './schema.js'

/** The marks in a shape. Between the values in `otel_span` stands {@link MARKS.value}, too. */
export const MARKS = {
  /** The next value. */
  value: '\x01',
  /** All of inputs; the value of its only key. */
  inputs: '\x02',
  inputsValue: '\x03',
  /** Likewise. */
  output: '\x04',
  outputValue: '\x05',
  /** The span's own ids, where they are the call's, too. */
  traceId: '\x06',
  id: '\x07',
  parentId: '\x08',
} as const

/** The value of a JSON object that has one key, without a colon in its name. */
const onlyValue = (column: Sql): Sql =>
  sql`substring(${column}, position(${column}, ':') + 1, length(${column}) - position(${column}, ':') - 1)`

const withIds = sql`replaceOne(replaceOne(replaceOne(toString(otel_shape), '\\x06', trace_id), '\\x07', id), '\\x08', parent_id)`
const withValues = sql`arrayStringConcat(arrayMap((around, value) -> concat(around, value), splitByChar('\\x01', ${withIds}), splitByChar('\\x01', if(otel_shape = '', '', otel_span))))`
const withInputs = sql`replaceOne(replaceOne(${withValues}, '\\x02', inputs), '\\x03', ${onlyValue(sql`inputs`)})`
const withOutput = sql`replaceOne(replaceOne(${withInputs}, '\\x04', output), '\\x05', ${onlyValue(sql`output`)})`

/** The span's JSON text; '' for a call that is none. Reads the three columns, those of ids, inputs and output. */
export const OTEL_SPAN = sql`if(otel_shape = '', otel_span, concat(${withOutput}, otel_origin))`

/** What stands in these columns of a row that gets another output: the text as it was, in one piece. */
export const SPAN_IN_ONE_PIECE: Partial<Record<CallColumn, Sql>> = {
  otel_span: OTEL_SPAN,
  otel_shape: sql`''`,
  otel_origin: sql`''`,
}
