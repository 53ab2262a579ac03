/**
 * Text of a span as a JSON string: escapes what JSON and a one-line text need, repairs what is not UTF-8 (each bad
 * piece becomes U+FFFD). Copies while it checks. Knows nothing of values.
 */

import type { StringColumn } from '../../domain/calls/column.js'
import { viewOf } from '../../platform/bytes/bytes.js'

const QUOTE = 34
const BACKSLASH = 92

/** What a byte of text is: 0 plain, 1 written as \u00XX, 2 beyond ASCII, else the letter after a backslash. */
const CLASS = new Uint8Array(256)
CLASS.fill(1, 0, 32)
CLASS.fill(2, 128)
for (const [byte, letter] of Object.entries({
  8: 'b',
  9: 't',
  10: 'n',
  12: 'f',
  13: 'r',
  34: '"',
  92: '\\',
})) {
  CLASS[Number(byte)] = letter.charCodeAt(0)
}

/** Both digits of the bytes below 32. */
const HEX = Uint16Array.from(
  { length: 32 },
  (_, byte) => '0123456789abcdef'.charCodeAt(byte & 15) | ((48 + (byte >> 4)) << 8),
)

/** Bytes taken at a time, so that room for the worst case (six for one) stays small. */
const CHUNK = 16_384

/**
 * Appends the bytes `[from, to)` that `source` shows as a JSON string, quotes included. Returns false if bytes had to be
 * repaired, true if the string says exactly what the source says.
 */
export function writeString(out: StringColumn, source: DataView, from: number, to: number): boolean {
  const count = to - from
  if (count > CHUNK) return writeLong(out, source, from, to)
  // Most texts need no more room than this; `escapeInto` makes more when it meets what does.
  out.reserve(count + 2)
  const { view } = out
  let at = out.pos
  view.setUint8(at++, QUOTE)
  const shift = at - from
  const words = to - 3
  let i = from
  for (; i < words; i += 4) {
    const word = source.getInt32(i, true)
    if (isSpecial(word)) break
    view.setInt32(i + shift, word, true)
  }
  for (; i < to; i++) {
    const byte = source.getUint8(i)
    if (CLASS[byte] !== 0) {
      out.pos = i + shift
      return writeRest(out, source, from, i, to)
    }
    view.setUint8(i + shift, byte)
  }
  at = i + shift
  view.setUint8(at, QUOTE)
  out.pos = at + 1
  return true
}

/**
 * Whether any of the four bytes of `word` is not plain: beyond ASCII (its high bit), below 32, a quote or a backslash
 * (then the subtraction borrows into the high bit).
 */
function isSpecial(word: number): boolean {
  const flags =
    word | (word - 0x20202020) | ((word ^ 0x22222222) - 0x01010101) | ((word ^ 0x5c5c5c5c) - 0x01010101)
  return (flags & 0x80808080) !== 0
}

/** Goes on at `i`, where the first byte that is not plain stands. */
function writeRest(out: StringColumn, source: DataView, from: number, i: number, to: number): boolean {
  const start = out.pos - (i - from)
  if (escapeInto(out, source, i, to) < to) {
    out.pos = start
    writeRepaired(out, source, from, to)
    return false
  }
  out.byte(QUOTE)
  return true
}

function writeLong(out: StringColumn, source: DataView, from: number, to: number): boolean {
  const start = out.pos
  out.byte(QUOTE)
  let at = from
  while (at < to) {
    const wanted = Math.min(to, at + CHUNK)
    const end = escapeInto(out, source, at, wanted, to)
    if (end < wanted) {
      out.pos = start + 1
      writeRepaired(out, source, from, to)
      return false
    }
    at = end
  }
  out.byte(QUOTE)
  return true
}

/** The opening quote stands; the text comes as its valid form. */
function writeRepaired(out: StringColumn, source: DataView, from: number, to: number): void {
  const bytes = Buffer.from(source.buffer, source.byteOffset + from, to - from)
  const fixed = Buffer.from(bytes.toString('utf8'))
  const view = viewOf(fixed)
  for (let at = 0; at < fixed.length; ) {
    at = escapeInto(out, view, at, Math.min(fixed.length, at + CHUNK), fixed.length)
  }
  out.byte(QUOTE)
}

/**
 * Appends `source[from, to)` escaped, without quotes. A character that begins before `to` may end behind it, up to
 * `limit`. Returns the position reached: below `to` if the bytes there are not UTF-8.
 */
function escapeInto(out: StringColumn, source: DataView, from: number, to: number, limit = to): number {
  out.reserve((to - from) * 6 + 3)
  const { view } = out
  const words = to - 3
  let at = out.pos
  let i = from
  while (i < to) {
    if (i < words) {
      const word = source.getInt32(i, true)
      if (!isSpecial(word)) {
        view.setInt32(at, word, true)
        at += 4
        i += 4
        continue
      }
    }
    const byte = source.getUint8(i)
    const kind = CLASS[byte]!
    if (kind === 0) {
      view.setUint8(at++, byte)
      i++
    } else if (kind === 2) {
      const size = sequenceLength(source, i, limit)
      if (size === 0) break
      for (let end = i + size; i < end; i++) view.setUint8(at++, source.getUint8(i))
    } else if (kind === 1) {
      view.setUint32(at, 0x5c753030)
      view.setUint16(at + 4, HEX[byte]!)
      at += 6
      i++
    } else {
      view.setUint16(at, (BACKSLASH << 8) | kind)
      at += 2
      i++
    }
  }
  out.pos = at
  return i
}

/** Bytes of the UTF-8 sequence of a character beyond ASCII at `i`, 0 if there is none that ends by `limit`. */
function sequenceLength(source: DataView, i: number, limit: number): number {
  const lead = source.getUint8(i)
  const size = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  if (size === 0 || i + size > limit) return 0
  const second = source.getUint8(i + 1)
  // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  if (second < low || second > high) return 0
  for (let k = 2; k < size; k++) if ((source.getUint8(i + k) & 0xc0) !== 0x80) return 0
  return size
}
