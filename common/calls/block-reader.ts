/**
 * Reads back what a `CallBlock` encoded: where its columns are, the values of a few rows, and writes the versions
 * in. For whoever has only a block's bytes. Knows `columns.ts` and nothing of where the block goes.
 */
import type { CallColumn } from './columns.js'

/** Where the parts of a Native block are. */
export interface BlockLayout {
  readonly bytes: Uint8Array
  readonly rows: number
  /** offset of the first value of each column */
  readonly at: ReadonlyMap<CallColumn, number>
}

/** Finds the columns of `bytes`, one Native block as `CallBlock.encode` makes it. Walks strings, copies nothing. */
export function layoutOf(bytes: Uint8Array): BlockLayout {
  const cursor = new Cursor(bytes)
  const columns = cursor.varint()
  const rows = cursor.varint()
  const at = new Map<CallColumn, number>()
  for (let i = 0; i < columns; i++) {
    const name = cursor.string() as CallColumn
    const type = cursor.string()
    at.set(name, cursor.at)
    if (type === 'String') for (let row = 0; row < rows; row++) cursor.skip(cursor.varint())
    else if (type.startsWith('Array(')) {
      const elements = rows === 0 ? 0 : cursor.uint64At(cursor.at + (rows - 1) * 8)
      cursor.skip(rows * 8 + elements * 4)
    } else if (type.startsWith('LowCardinality(')) cursor.skipLowCardinality(rows)
    else cursor.skip(rows * widthOf(type))
  }
  return { bytes, rows, at }
}

function widthOf(type: string): number {
  if (type.endsWith('Int8')) return 1
  return type.endsWith('Int32') ? 4 : 8
}

/** Calls `visit` with the byte range of each row's value in the string column `name`. */
function eachString(
  layout: BlockLayout,
  name: CallColumn,
  visit: (row: number, from: number, to: number) => void,
): void {
  const cursor = new Cursor(layout.bytes, layout.at.get(name)!)
  for (let row = 0; row < layout.rows; row++) {
    const length = cursor.varint()
    visit(row, cursor.at, cursor.at + length)
    cursor.skip(length)
  }
}

/** The values of the string column `name` in `rows` (ascending), in that order. */
export function stringsOf(layout: BlockLayout, name: CallColumn, rows: readonly number[]): string[] {
  const found: string[] = []
  const { bytes } = layout
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  eachString(layout, name, (row, from, to) => {
    if (rows[found.length] === row) found.push(buffer.toString('utf8', from, to))
  })
  return found
}

/** The value of a column of 64 bits (a time in µs, a version) in `row`. */
export function numberOf(layout: BlockLayout, name: CallColumn, row: number): number {
  return new Cursor(layout.bytes).uint64At(layout.at.get(name)! + row * 8)
}

/** Writes `first`, `first + 1`, … into the column `ver`. */
export function stampVersions(layout: BlockLayout, first: number): void {
  const { bytes, rows } = layout
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = layout.at.get('ver')!
  for (let row = 0; row < rows; row++, at += 8) {
    const version = first + row
    const high = Math.floor(version / 0x100000000)
    view.setUint32(at, version - high * 0x100000000, true)
    view.setUint32(at + 4, high, true)
  }
}

class Cursor {
  constructor(
    private readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  varint(): number {
    const { bytes } = this
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[this.at++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }

  string(): string {
    const length = this.varint()
    this.skip(length)
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.at - length, length).toString('latin1')
  }

  skip(count: number): void {
    this.at += count
  }

  /** As `LowCardinalityColumn` writes it: two words, the texts, a word, two bytes a row. */
  skipLowCardinality(rows: number): void {
    this.skip(8)
    if (rows === 0) return
    const texts = this.uint64At(this.at + 8)
    this.skip(16)
    for (let i = 0; i < texts; i++) this.skip(this.varint())
    this.skip(8 + rows * 2)
  }

  /** Safe integers alone: what is stored as 64 bits here is a time, a version or a count. */
  uint64At(at: number): number {
    const { bytes } = this
    const low = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
    const high =
      (bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24)) >>> 0
    return high * 0x100000000 + low
  }
}
