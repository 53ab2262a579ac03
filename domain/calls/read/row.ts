/**
 * Rows of calls as the store sends them in RowBinary, value after value: which columns, and how each is read. A list of
 * few calls comes so and is written as JSON here, since the engine takes longer to plan the line than to read the rows.
 */

import { ident, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import type { CallTable } from '../schema.js'
import { type ColumnName, type LineOptions, lineColumnNames } from './line.js'

/** Columns that are no text. */
const KINDS = {
  started_at: 'time',
  ended_at: 'time',
  ver: 'whole',
  bytes: 'whole',
  descendant_errors: 'short',
  run_step: 'big',
  run_step_end: 'big',
  expire_at: 'seconds',
} as const

type NoText = keyof typeof KINDS
export type TextColumn = Exclude<ColumnName, NoText>

/** What a column holds where a row leaves it out. */
const FILLS: Record<(typeof KINDS)[NoText] | 'text', Sql> = {
  time: sql`started_at`,
  whole: sql`toUInt64(0)`,
  short: sql`toUInt32(0)`,
  seconds: sql`toDateTime(0)`,
  big: sql`toInt64(0)`,
  text: sql`''`,
}

/** One row. Texts that were not asked for are empty, numbers 0; times in µs, `expire_at` in s since the epoch. */
export interface CallRow extends Record<TextColumn, Buffer> {
  started_at: number
  ended_at: number
  ver: number
  bytes: number
  descendant_errors: number
  run_step: bigint
  run_step_end: bigint
  expire_at: number
  /** of `calls_open` */
  isRunning: boolean
  /** of `calls_open`: only what is in {@link KEY} was read */
  isKey: boolean
}

const KEY: readonly ColumnName[] = ['started_at', 'id', 'ver']

/** The columns of a row, in the order in which they are selected and read. */
export function rowColumns(options: LineOptions): readonly ColumnName[] {
  return [...KEY, 'trace_id', 'op_name', ...lineColumnNames(options)]
}

/** What rows end with, so that it is known what they are. */
const PART = { whole: 0, key: 1, running: 2 }

/** What is selected of a row. */
export function wholeRow(table: CallTable, columns: readonly ColumnName[]): Sql {
  return join([...columns.map(ident), table === 'calls' ? sql`0` : sql`2`], sql`, `)
}

/** The same of a running call's row whose key alone is of interest. */
export function keyOfRow(columns: readonly ColumnName[]): Sql {
  const fills = columns.map((name) => (KEY.includes(name) ? ident(name) : FILLS[kindOf(name)]))
  return join([...fills, sql`1`], sql`, `)
}

function kindOf(name: ColumnName): keyof typeof FILLS {
  return isText(name) ? 'text' : KINDS[name]
}

function isText(name: ColumnName): name is TextColumn {
  return !(name in KINDS)
}

const NOTHING = Buffer.alloc(0)

/** All rows in `bytes`. */
export function readRows(bytes: Buffer, columns: readonly ColumnName[]): CallRow[] {
  const reader = new RowReader(bytes)
  const rows: CallRow[] = []
  while (!reader.ended) {
    const row = emptyRow()
    for (const name of columns) {
      if (isText(name)) row[name] = reader.text()
      else readNumber(reader, row, name)
    }
    const part = reader.byte()
    row.isRunning = part !== PART.whole
    row.isKey = part === PART.key
    rows.push(row)
  }
  return rows
}

function readNumber(reader: RowReader, row: CallRow, name: NoText): void {
  if (name === 'run_step' || name === 'run_step_end') row[name] = reader.int64()
  else if (name === 'descendant_errors' || name === 'expire_at') row[name] = reader.uint32()
  else row[name] = reader.whole()
}

function emptyRow(): CallRow {
  return {
    id: NOTHING,
    trace_id: NOTHING,
    op_name: NOTHING,
    parent_id: NOTHING,
    thread_id: NOTHING,
    turn_id: NOTHING,
    display_name: NOTHING,
    exception: NOTHING,
    inputs: NOTHING,
    output: NOTHING,
    attributes: NOTHING,
    otel_span: NOTHING,
    otel_shape: NOTHING,
    otel_origin: NOTHING,
    summary: NOTHING,
    user_id: NOTHING,
    run_id: NOTHING,
    started_at: 0,
    ended_at: 0,
    ver: 0,
    bytes: 0,
    descendant_errors: 0,
    run_step: 0n,
    run_step_end: 0n,
    expire_at: 0,
    isRunning: false,
    isKey: false,
  }
}

/** Values of RowBinary, one after the other. */
export class RowReader {
  private pos = 0

  constructor(private readonly bytes: Buffer) {}

  get ended(): boolean {
    return this.pos >= this.bytes.length
  }

  byte(): number {
    return this.bytes.readUInt8(this.pos++)
  }

  text(): Buffer {
    let size = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = this.byte()
      size += (byte & 127) * shift
      if (byte < 128) break
    }
    const from = this.pos
    this.pos += size
    if (this.pos > this.bytes.length) throw new Error('a row of calls is cut off')
    return this.bytes.subarray(from, this.pos)
  }

  uint32(): number {
    const value = this.bytes.readUInt32LE(this.pos)
    this.pos += 4
    return value
  }

  int64(): bigint {
    const value = this.bytes.readBigInt64LE(this.pos)
    this.pos += 8
    return value
  }

  /** 64 bits whose value a double holds: times and counts in µs and bytes. */
  whole(): number {
    const value = this.bytes.readInt32LE(this.pos + 4) * 2 ** 32 + this.bytes.readUInt32LE(this.pos)
    this.pos += 8
    return value
  }
}
