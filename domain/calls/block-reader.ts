/**
 * Reads an encoded `CallBlock`: locates its columns, reads values of a few rows, and writes the versions. For code that
 * has only a block's bytes. Knows `schema.ts` and nothing of where the block goes.
 */
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import type { SentColumn } from './schema.js'

/** A Native block and the offsets of its parts. */
export interface BlockLayout {
  readonly bytes: Uint8Array
  readonly rows: number
  /** offset of the first value of each column */
  readonly at: ReadonlyMap<SentColumn, number>
}

/** Calls `visit` with the byte range of each row's value in the string column `name`. */
function eachString(
  layout: BlockLayout,
  name: SentColumn,
  visit: (row: number, from: number, to: number) => void,
): void {
  const cursor = new Cursor(layout.bytes, layout.at.get(name)!)
  for (let row = 0; row < layout.rows; row++) {
    const length = cursor.varint()
    visit(row, cursor.at, cursor.at + length)
    cursor.skip(length)
  }
}

/** The values of the string column `name` in `rows` (ascending), in order. */
export function stringsOf(layout: BlockLayout, name: SentColumn, rows: readonly number[]): string[] {
  const found: string[] = []
  const { bytes } = layout
  const buffer = bufferOf(bytes)
  eachString(layout, name, (row, from, to) => {
    if (rows[found.length] === row) found.push(buffer.toString('utf8', from, to))
  })
  return found
}

/** The value of a 64-bit column (a time in µs, a version) in `row`. */
export function numberOf(layout: BlockLayout, name: SentColumn, row: number): number {
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

  skip(count: number): void {
    this.at += count
  }

  /** Returns safe integers only: the 64-bit columns here hold times, versions and counts. */
  uint64At(at: number): number {
    const { bytes } = this
    const low = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
    const high =
      (bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24)) >>> 0
    return high * 0x100000000 + low
  }
}
