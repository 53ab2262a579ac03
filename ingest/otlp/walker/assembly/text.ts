/** Text of the wire as a JSON string: see `ingest/otlp/text.ts`. Text that is not UTF-8 is left to TypeScript. */
import { byte, end, FULL, fail, goTo, hasRoom, position } from './output'

const QUOTE: u32 = 34
const BACKSLASH: u32 = 92

/** Bytes of the UTF-8 sequence of a character beyond ASCII at `i`, 0 if there is none that ends by `limit`. */
function sequenceLength(i: usize, limit: usize): usize {
  const lead = load<u8>(i)
  const size: usize = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  if (size === 0 || i + size > limit) return 0
  const second = load<u8>(i, 1)
  // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
  const low: u8 = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high: u8 = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  if (second < low || second > high) return 0
  if (size > 2 && (load<u8>(i, 2) & 0xc0) !== 0x80) return 0
  if (size > 3 && (load<u8>(i, 3) & 0xc0) !== 0x80) return 0
  return size
}

/** Whether `[from, to)` is UTF-8. */
export function isUtf8(from: usize, to: usize): bool {
  let i = from
  while (i < to) {
    if (i + 16 <= to && i8x16.bitmask(v128.load(i)) === 0) {
      i += 16
    } else if (load<u8>(i) < 128) {
      i++
    } else {
      const size = sequenceLength(i, to)
      if (size === 0) return false
      i += size
    }
  }
  return true
}

/** The letter after a backslash for a byte below 32, 0 if it has none. */
function shortEscape(byte: u32): u32 {
  if (byte === 10) return 110
  if (byte === 9) return 116
  if (byte === 13) return 114
  if (byte === 8) return 98
  return byte === 12 ? 102 : 0
}

/** By byte of a vector, whether a JSON string can't have it as it is: below 32, a quote, a backslash, beyond ASCII. */
function specials(bytes: v128): i32 {
  const quotes = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH)))
  return i8x16.bitmask(v128.or(quotes, i8x16.lt_s(bytes, i8x16.splat(32))))
}

/** Appends `[from, to)` as a JSON string; returns false, having appended nothing, if it is not UTF-8. */
export function writeString(from: usize, to: usize): bool {
  const start = position()
  const limit = end()
  byte(QUOTE)
  let at = position()
  let i = from
  while (i < to) {
    if (at + 64 > limit) {
      fail(FULL)
      return true
    }
    const bytes = v128.load(i)
    v128.store(at, bytes)
    const found = specials(bytes)
    const plain: usize = found === 0 ? 16 : ctz<i32>(found)
    if (i + plain >= to) {
      at += to - i
      break
    }
    i += plain
    at += plain
    if (found === 0) continue
    const special: u32 = load<u8>(i)
    if (special >= 128) {
      const size = sequenceLength(i, to)
      if (size === 0) {
        goTo(start)
        return false
      }
      store<u32>(at, load<u32>(i))
      at += size
      i += size
      continue
    }
    const letter = special >= 32 ? special : shortEscape(special)
    if (letter !== 0) {
      store<u16>(at, BACKSLASH | (letter << 8))
      at += 2
    } else {
      store<u32>(at, 0x3030755c)
      const low = special & 15
      store<u16>(at, (48 + (special >> 4)) | ((low < 10 ? 48 + low : 87 + low) << 8), 4)
      at += 6
    }
    i++
  }
  goTo(at)
  byte(QUOTE)
  return true
}

/** Appends the JSON string of `[from, to)`; what is not UTF-8 is left to TypeScript. */
export function writeUtf8(from: usize, to: usize): void {
  if (from === to) {
    if (hasRoom(2)) {
      store<u16>(position(), 0x2222)
      goTo(position() + 2)
    }
  } else if (!writeString(from, to)) fail(1)
}
