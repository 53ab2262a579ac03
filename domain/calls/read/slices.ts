/**
 * Cuts long lists into slices whose rows fit into memory together: memory use never grows with a list's length or its
 * rows' width. Pure: assigns rows to slices, and counts lines in a stream.
 */
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
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes: Buffer = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece])
    const found: Found[] = []
    let at = 0
    for (let end = endOfRow(bytes, at); end !== undefined; end = endOfRow(bytes, at)) {
      const { id, next } = end
      const whole = (from: number) => bytes.readInt32LE(from + 4) * 2 ** 32 + bytes.readUInt32LE(from)
      const [started, width, isRunning] = [whole(at), whole(at + 8), bytes[at + 16] === 1]
      found.push({ started, width, isRunning, id: bytes.toString('utf8', id, next) })
      at = next
    }
    rest = bytes.subarray(at)
    if (found.length > 0) yield found
  }
  if (rest.length > 0) throw new Error('a row of keys is truncated')
}

/** The offsets of the id of the row at `from`, and of the next row; undefined if incomplete. */
function endOfRow(bytes: Buffer, from: number): { id: number; next: number } | undefined {
  let at = from + 17
  let size = 0
  for (let shift = 1; ; shift *= 128) {
    const byte = bytes[at++]
    if (byte === undefined) return undefined
    size += (byte & 127) * shift
    if (byte < 128) break
  }
  return at + size <= bytes.length ? { id: at, next: at + size } : undefined
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
