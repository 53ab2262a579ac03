/** Locates the columns and values of calls in RowBinary, value by value, without building rows. */
import { RowBinaryCursor } from '../../../platform/clickhouse/row-cursor.js'
import { commaList, ident, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { SPAN_NAME } from '../otel-span.js'
import { CALL_COLUMNS, type CallColumn, type CallTable, type Kind } from '../schema.js'
import { type LineOptions, lineColumnNames } from './line.js'

/** A value in a row: of a column, or added by a list. */
export type RowColumn = CallColumn | keyof typeof ADDED

/** Values that lists may add to rows; `page.ts` provides their source. */
const ADDED = {
  username: { kind: 'textOrUnset', value: sql`usernames[user_id]` },
  trace_bytes: { kind: 'uint64', value: sql`toUInt64(trace_bytes)` },
  span_name: { kind: 'textOrUnset', value: SPAN_NAME },
} as const
const isAdded = (name: RowColumn): name is keyof typeof ADDED => name in ADDED

/** Kinds other than text: the size of a value, and the filler in rows that omit it. */
const NUMBERS: Partial<Record<Kind, { size: number; fill: Sql }>> = {
  time: { size: 8, fill: sql`started_at` },
  timeOrUnset: { size: 8, fill: sql`started_at` },
  integerOrUnset: { size: 8, fill: sql`toInt64(0)` },
  uint64: { size: 8, fill: sql`toUInt64(0)` },
  uint8: { size: 1, fill: sql`toUInt8(0)` },
  uint32: { size: 4, fill: sql`toUInt32(0)` },
  expiry: { size: 4, fill: sql`toDateTime(0)` },
}
const KINDS = new Map<string, Kind>(CALL_COLUMNS.map(({ name, kind }) => [name, kind]))
const numberOf = (name: RowColumn) => NUMBERS[isAdded(name) ? ADDED[name].kind : KINDS.get(name)!]

const KEY: readonly RowColumn[] = ['started_at', 'id', 'ver']

/** The columns of a row, in the order of selection. */
export function rowColumns(options: LineOptions): readonly RowColumn[] {
  const added: RowColumn[] = [
    ...(options.usernames ? (['username'] as const) : []),
    ...(options.traceSize ? (['trace_bytes'] as const) : []),
    ...(options.columns.has('span_name') ? (['span_name'] as const) : []),
  ]
  // Of the span's text, its name may be all that is wanted.
  const others: readonly RowColumn[] = options.columns.has('attributes') ? KEY : [...KEY, 'otel_span']
  return [...KEY, ...lineColumnNames(options).filter((name) => !others.includes(name)), ...added]
}

/** The last byte of a row tells what it is. */
const PART = { whole: 0, key: 1, running: 2 }

/** Selects a complete row. */
export function wholeRow(table: CallTable, columns: readonly RowColumn[]): Sql {
  const values = columns.map((name) => (isAdded(name) ? ADDED[name].value : ident(name)))
  return commaList([...values, table === 'calls' ? sql`0` : sql`2`])
}

/** Selects a running call's row of which only the key is needed. */
export function keyOfRow(columns: readonly RowColumn[]): Sql {
  const fills = columns.map((name) => (KEY.includes(name) ? ident(name) : (numberOf(name)?.fill ?? sql`''`)))
  return commaList([...fills, sql`1`])
}

/** Iterates over rows of calls. */
export class RowCursor extends RowBinaryCursor {
  constructor(readonly columns: readonly RowColumn[]) {
    super([...columns.map((name) => numberOf(name)?.size ?? 0), 1])
  }

  /** The index of a column; -1 if rows don't have it. */
  indexOf(name: RowColumn): number {
    return this.columns.indexOf(name)
  }

  /** True for a row of `calls_open`. */
  get isRunning(): boolean {
    return this.uint8(this.columns.length) !== PART.whole
  }

  /** True for a row of `calls_open` with only the key. */
  get isKey(): boolean {
    return this.uint8(this.columns.length) === PART.key
  }
}
