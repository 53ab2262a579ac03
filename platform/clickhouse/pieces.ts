/**
 * Cuts lists into pieces that fit one statement: parameters travel in the URL of a request, and a ClickHouse server
 * accepts at most a MiB.
 */
import { piecesOf } from '../batch/pieces.js'

/** Bytes that the values of one statement may take. */
const WEIGHT = 600 << 10

/**
 * Cuts `items` into pieces of at most `size` items and `limit` weight; a single item may be heavier.
 * @param weigh bytes, as {@link writtenBytes} counts them
 */
export function pieces<Item>(
  items: readonly Item[],
  size = 1000,
  weigh: (item: Item) => number = () => 0,
  limit = WEIGHT,
): Item[][] {
  return [...piecesOf(items, weigh, { items: size, bytes: limit })]
}

/** An upper bound for the bytes of `text` as a value in a URL. */
export function writtenBytes(text: string): number {
  let bytes = 12
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (isPlain(unit)) bytes++
    else bytes += unit < 0x80 ? 6 : 9
  }
  return bytes
}

/** Letters, digits, and the `-`, `.` and `_` of ids, which need no escape. */
function isPlain(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    unit === 0x2d ||
    unit === 0x2e ||
    unit === 0x5f
  )
}
