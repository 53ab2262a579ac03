/**
 * Cuts long lists into slices whose rows fit into memory together: memory use never grows with a list's length or its
 * rows' width. Pure: assigns rows to slices, and counts lines in a stream.
 */
import { bufferOf } from '../../../platform/bytes/buffer-of.js'
import { RowBinaryCursor } from '../../../platform/clickhouse/row-cursor.js'
import type { Found, Slice } from './page.js'

/** The limits of a slice; a single row may be wider. */
export interface SliceLimit {
  /** total of its rows */
  weight: number
  rows: number
}

/**
 * Cuts rows, in order, into slices.
 * @param limitOf the limit of the next slice
 * @param weightOf default: the width
 */
export async function* slicesOf(
  found: AsyncIterable<readonly Found[]>,
  limitOf: () => SliceLimit,
  weightOf: (row: Found) => number = ({ width }) => width,
): AsyncGenerator<Slice> {
  let limit = limitOf()
  let isFirst = true
  let slice: Found[] = []
  let sum = 0
  for await (const rows of found)
    for (const row of rows) {
      const weight = weightOf(row)
      if (slice.length > 0 && (sum + weight > limit.weight || slice.length >= limit.rows)) {
        yield { rows: slice, isFirst, isLast: false }
        isFirst = false
        limit = limitOf()
        slice = []
        sum = 0
      }
      slice.push(row)
      sum += weight
    }
  if (slice.length > 0) yield { rows: slice, isFirst, isLast: true }
}

/** The widest row of a slice. */
export function widestOf(slice: readonly Found[]): number {
  return slice.reduce((most, { width }) => Math.max(most, width), 1)
}

/** Parses the RowBinary rows of key statements: `started`, `width`, `running`, `id`; in groups as they arrive. */
export async function* foundIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Found[]> {
  const cursor = new RowBinaryCursor([8, 8, 1, 0])
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    cursor.open(rest.length === 0 ? bufferOf(piece) : Buffer.concat([rest, piece]))
    const found: Found[] = []
    let at = 0
    for (let next = cursor.read(at); next >= 0; next = cursor.read(at)) {
      const [started, width] = [cursor.whole(0), cursor.whole(1)]
      found.push({ started, width, isRunning: cursor.uint8(2) === 1, id: cursor.text(3).toString() })
      at = next
    }
    rest = cursor.bytes.subarray(at)
    if (found.length > 0) yield found
  }
  if (rest.length > 0) throw new Error('a row of keys is truncated')
}

const NEWLINE = 0x0a

/** From lines in chunks, those from `offset` on, at most `limit`; then ends the source. */
export async function* someLines(
  pieces: AsyncIterable<Uint8Array>,
  offset: number,
  limit: number | undefined,
): AsyncGenerator<Uint8Array> {
  const end = limit === undefined ? Number.POSITIVE_INFINITY : offset + limit
  let seen = 0
  if (end === 0) return
  for await (const piece of pieces) {
    let from = seen >= offset ? 0 : piece.length
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) {
      seen++
      if (seen === offset) from = at + 1
      if (seen < end) continue
      yield piece.subarray(from, at + 1)
      return
    }
    if (from < piece.length) yield piece.subarray(from)
  }
}
