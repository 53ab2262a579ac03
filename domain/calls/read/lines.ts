/** Converts a statement's rows, in arbitrary chunks, to lines of JSON. */
import { Bytes } from '../../../platform/bytes/bytes.js'
import type { Prices } from '../../costs/pricing.js'
import type { LineOptions } from './line.js'
import { RowCursor, rowColumns } from './row.js'
import { LineWriter } from './write-line.js'

/** A line is rarely longer than this many times its row. */
const LONGER = 2
/** Beyond this, memory grows on demand. */
const LARGE = 4 << 20

/** Selects the rows of a statement that become lines. */
export interface RowFilter {
  /** Called when the first rows have arrived, before any is examined. */
  begin(): Promise<void>
  /** undefined: all */
  readonly takes: ((id: string) => boolean) | undefined
}

/** The lines of `pieces`, in groups as they arrive. @param prices set if lines include costs */
export async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  line: LineOptions,
  prices: Prices | undefined,
  filter?: RowFilter,
): AsyncGenerator<Uint8Array> {
  const cursor = new RowCursor(rowColumns(line))
  const writer = new LineWriter(cursor, line, prices)
  let waiting: Uint8Array[] = []
  let size = 0
  let needed = 0
  let takes: RowFilter['takes']
  let isFirst = true
  const id = cursor.indexOf('id')
  for await (const piece of pieces) {
    if (isFirst && filter) {
      await filter.begin()
      takes = filter.takes
    }
    isFirst = false
    waiting.push(piece)
    size += piece.length
    // A wide row spans many chunks; join them once it can be complete.
    if (size < needed) continue
    const bytes = Buffer.concat(waiting, size)
    cursor.open(bytes)
    const out = new Bytes(Math.min(size * LONGER, LARGE) + 1024)
    let at = 0
    for (let next = cursor.read(at); next >= 0; next = cursor.read(at)) {
      if (!takes || takes(cursor.text(id).toString())) writer.write(out)
      at = next
    }
    needed = cursor.needed - at
    waiting = at < size ? [bytes.subarray(at)] : []
    size -= at
    if (out.pos > 0) yield out.buf.subarray(0, out.pos)
  }
  if (size > 0) throw new Error('a row of calls is truncated')
}
