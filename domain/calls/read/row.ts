/**
 * Locates the columns and values of calls in RowBinary, value by value, without building rows. Knows nothing of lines.
 */
import { viewOf } from '../../../platform/bytes/bytes.js'
import { ident, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { CALL_COLUMNS, type CallColumn, type CallTable, type Kind } from '../schema.js'
import { type LineOptions, lineColumnNames } from './line.js'

/** A value in a row: of a column, or added by a list. */
export type RowColumn = CallColumn | keyof typeof ADDED

/** Values that lists may add to rows; `page.ts` provides their source. */
const ADDED = {
  username: { kind: 'textOrUnset', value: sql`usernames[user_id]` },
  trace_bytes: { kind: 'uint64', value: sql`toUInt64(trace_bytes)` },
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
  ]
  return [...KEY, ...lineColumnNames(options).filter((name) => !KEY.includes(name)), ...added]
}

/** The last byte of a row tells what it is. */
const PART = { whole: 0, key: 1, running: 2 }

/** Selects a complete row. */
export function wholeRow(table: CallTable, columns: readonly RowColumn[]): Sql {
  const values = columns.map((name) => (isAdded(name) ? ADDED[name].value : ident(name)))
  return join([...values, table === 'calls' ? sql`0` : sql`2`], sql`, `)
}

/** Selects a running call's row of which only the key is needed. */
export function keyOfRow(columns: readonly RowColumn[]): Sql {
  const fills = columns.map((name) => (KEY.includes(name) ? ident(name) : (numberOf(name)?.fill ?? sql`''`)))
  return join([...fills, sql`1`], sql`, `)
}

/** Iterates over rows: the offsets of the values, by column index. */
export class RowCursor {
  bytes: Buffer = Buffer.alloc(0)
  /** the same memory */
  view: DataView = viewOf(this.bytes)
  readonly from: Int32Array
  /** ends of texts */
  readonly to: Int32Array
  private readonly sizes: readonly number[]
  private part = PART.whole
  /** the bytes needed at least to read the truncated row */
  needed = 0

  constructor(readonly columns: readonly RowColumn[]) {
    this.sizes = columns.map((name) => numberOf(name)?.size ?? 0)
    this.from = new Int32Array(columns.length)
    this.to = new Int32Array(columns.length)
  }

  /** The index of a column; -1 if rows don't have it. */
  indexOf(name: RowColumn): number {
    return this.columns.indexOf(name)
  }

  /** Goes through the rows of `bytes`, a whole answer; yields the offset of each. @throws if the last one is truncated */
  *rows(bytes: Buffer): Generator<number> {
    this.open(bytes)
    for (let at = 0; at < bytes.length; ) {
      const next = this.read(at)
      if (next < 0) throw new Error('the store cut a row off')
      yield at
      at = next
    }
  }

  open(bytes: Buffer): void {
    this.bytes = bytes
    this.view = viewOf(bytes)
  }

  /** Reads the row at `at`; returns the offset after it, or -1 if it is truncated. */
  read(at: number): number {
    const { bytes, from, to, sizes } = this
    const end = bytes.length
    let pos = at
    for (let i = 0; i < sizes.length; i++) {
      let size = sizes[i]!
      if (size === 0) {
        for (let shift = 1; ; shift *= 128) {
          if (pos >= end) return this.cutOff(pos)
          const byte = bytes[pos++]!
          size += (byte & 127) * shift
          if (byte < 128) break
        }
      }
      from[i] = pos
      pos += size
      if (pos >= end) return this.cutOff(pos)
      to[i] = pos
    }
    this.part = bytes[pos]!
    return pos + 1
  }

  private cutOff(at: number): number {
    this.needed = at + 1
    return -1
  }

  /** A time in µs or a count: 64 bits within a double's range. */
  whole(index: number): number {
    const at = this.from[index]!
    return this.view.getInt32(at + 4, true) * 0x100000000 + this.view.getUint32(at, true)
  }

  uint32(index: number): number {
    return this.view.getUint32(this.from[index]!, true)
  }

  int64(index: number): bigint {
    return this.view.getBigInt64(this.from[index]!, true)
  }

  text(index: number): Buffer {
    return this.bytes.subarray(this.from[index]!, this.to[index]!)
  }

  /** True for a row of `calls_open`. */
  get isRunning(): boolean {
    return this.part !== PART.whole
  }

  /** True for a row of `calls_open` with only the key. */
  get isKey(): boolean {
    return this.part === PART.key
  }
}
