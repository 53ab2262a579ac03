/**
 * Text of a span as a JSON string: escapes what JSON and a one-line text need, repairs what is not UTF-8 (each bad
 * piece becomes U+FFFD). Copies while it checks. Knows nothing of values.
 */
import type { StringColumn } from '../../common/calls/column.js'

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

const HEX = Buffer.from('0123456789abcdef')

/** Bytes taken at a time, so that room for the worst case (six for one) stays small. */
const CHUNK = 16_384

/**
 * Appends `source[from, to)` as a JSON string, quotes included. Returns false if bytes had to be repaired, true if the
 * string says exactly what the source says.
 */
export function writeString(out: StringColumn, source: Uint8Array, from: number, to: number): boolean {
  const count = to - from
  if (count > CHUNK) return writeLong(out, source, from, to)
  out.reserve(count + 2)
  const { buf } = out
  let at = out.pos
  buf[at++] = QUOTE
  for (let i = from; i < to; i++) {
    const byte = source[i]!
    if (CLASS[byte] !== 0) {
      out.pos = at
      return writeRest(out, source, from, i, to)
    }
    buf[at++] = byte
  }
  buf[at] = QUOTE
  out.pos = at + 1
  return true
}

/** Goes on at `i`, where the first byte that is not plain stands. */
function writeRest(out: StringColumn, source: Uint8Array, from: number, i: number, to: number): boolean {
  const start = out.pos - (i - from)
  if (escapeInto(out, source, i, to) < to) {
    out.pos = start
    writeRepaired(out, source, from, to)
    return false
  }
  out.byte(QUOTE)
  return true
}

function writeLong(out: StringColumn, source: Uint8Array, from: number, to: number): boolean {
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
function writeRepaired(out: StringColumn, source: Uint8Array, from: number, to: number): void {
  const fixed = Buffer.from(Buffer.from(source.buffer, source.byteOffset + from, to - from).toString('utf8'))
  for (let at = 0; at < fixed.length; ) {
    at = escapeInto(out, fixed, at, Math.min(fixed.length, at + CHUNK), fixed.length)
  }
  out.byte(QUOTE)
}

/**
 * Appends `source[from, to)` escaped, without quotes. A character that begins before `to` may end behind it, up to
 * `limit`. Returns the position reached: below `to` if the bytes there are not UTF-8.
 */
function escapeInto(out: StringColumn, source: Uint8Array, from: number, to: number, limit = to): number {
  out.reserve((to - from) * 6 + 3)
  const { buf } = out
  let at = out.pos
  let i = from
  while (i < to) {
    const byte = source[i]!
    const kind = CLASS[byte]!
    if (kind === 0) {
      buf[at++] = byte
      i++
    } else if (kind === 2) {
      const size = sequenceLength(source, i, limit)
      if (size === 0) break
      for (let end = i + size; i < end; i++) buf[at++] = source[i]!
    } else {
      buf[at++] = BACKSLASH
      if (kind === 1) {
        buf[at] = 117
        buf[at + 1] = 48
        buf[at + 2] = 48
        buf[at + 3] = HEX[byte >> 4]!
        buf[at + 4] = HEX[byte & 15]!
        at += 5
      } else buf[at++] = kind
      i++
    }
  }
  out.pos = at
  return i
}

/** Bytes of the UTF-8 sequence of a character beyond ASCII at `i`, 0 if there is none that ends by `limit`. */
function sequenceLength(source: Uint8Array, i: number, limit: number): number {
  const lead = source[i]!
  const size = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  if (size === 0 || i + size > limit) return 0
  const second = source[i + 1]!
  // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  if (second < low || second > high) return 0
  for (let k = 2; k < size; k++) if ((source[i + k]! & 0xc0) !== 0x80) return 0
  return size
}
