/**
 * Where the request may hold something that a detector of masking finds: see `domain/masking/detectors.ts`. Says only
 * what can't be excluded at a glance; `ingest/otlp/hints.ts` does the same in TypeScript.
 */

/**
 * Classes of bytes, a bit each: what the low and the high half of a byte have in common. 64: a space, a closing
 * parenthesis, a point, a percent sign.
 */
const DIGIT: i32 = 128
const AT: i32 = 2
const FIRST_LETTERS: i32 = 4
/** P to Z, and the underscore. */
const LAST_LETTERS: i32 = 8
const PLUS: i32 = 16
const DASH: i32 = 32
const COLON: i32 = 1
const GAP: i32 = 64
/** What is seldom in texts, and never without meaning here. */
const SELDOM: i8 = <i8>(AT | PLUS)
const WORD: i8 = <i8>(DIGIT | FIRST_LETTERS | LAST_LETTERS | DASH)
/** What may stand before the @ of an address, and more. */
const LOCAL: i8 = <i8>(DIGIT | FIRST_LETTERS | LAST_LETTERS | DASH | PLUS | GAP)

/**
 * Writes, at `out`, where pieces of 32 bytes begin that may hold a match, one of every 16, as distances from `from`.
 * What stands 32 bytes behind `to` must be 0. Returns how many there are.
 */
export function hints(from: usize, to: usize, out: usize): i32 {
  // By half: 0 to f. A digit has the highest bit.
  const low = i8x16(-54, -116, -116, -116, -116, -52, -116, -116, -116, -52, 13, 20, 4, 36, 68, 12)
  const high = i8x16(0, 0, 112, -127, 6, 8, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0)
  const half = i8x16.splat(15)
  const seldom = i8x16.splat(SELDOM)
  const colon = i8x16.splat(<i8>COLON)
  let count = 0
  /** of the last 16 bytes: their classes, which are digits, and which are no part of a word */
  let before = i8x16.splat(0)
  let digitsBefore: u64 = 0
  let gapsBefore: u64 = 0xffff
  for (let at = from; at < to + 16; at += 64) {
    const a = classesOf(v128.load(at), low, high, half)
    const b = classesOf(v128.load(at, 16), low, high, half)
    const c = classesOf(v128.load(at, 32), low, high, half)
    const d = classesOf(v128.load(at, 48), low, high, half)
    const digits =
      <u64>(<u32>i8x16.bitmask(a) | ((<u32>i8x16.bitmask(b)) << 16)) |
      ((<u64>(<u32>i8x16.bitmask(c) | ((<u32>i8x16.bitmask(d)) << 16))) << 32)
    const gaps = <u64>(gapsIn(a) | (gapsIn(b) << 16)) | ((<u64>(gapsIn(c) | (gapsIn(d) << 16))) << 32)
    const all = v128.or(v128.or(before, v128.or(a, b)), v128.or(c, d))
    // Mostly nothing is there at all.
    if (
      clz<u64>((gapsBefore << 48) | 0x800000000000) + ctz<u64>(gaps) >= 16 ||
      runs16(~gaps) ||
      v128.any_true(v128.and(all, seldom)) ||
      mayBeNumbers(digitsBefore, digits) ||
      (v128.any_true(v128.and(all, colon)) && areColons(before, a, b, c, d))
    ) {
      let last = before
      let place: i32 = <i32>(at - from)
      for (let i: u64 = 0; i < 64 && at + <usize>i < to + 16; i += 16) {
        const next = i === 0 ? a : i === 16 ? b : i === 32 ? c : d
        const pieceGaps = i === 0 ? gapsBefore | (gaps << 16) : gaps >> (i - 16)
        const pieceDigits = i === 0 ? digitsBefore | (digits << 16) : digits >> (i - 16)
        const run = clz<u32>(((<u32>pieceGaps) << 16) | 0x8000) + ctz<u32>((<u32>pieceGaps >> 16) | 0x10000)
        if (run >= 16 || mayMatch(last, next, <u32>pieceDigits)) {
          store<u32>(out + ((<usize>count) << 2), place < 16 ? 0 : place - 16)
          count++
        }
        last = next
        place += 16
      }
    }
    before = d
    digitsBefore = digits >> 48
    gapsBefore = gaps >> 48
  }
  return count
}

function classesOf(bytes: v128, low: v128, high: v128, half: v128): v128 {
  return v128.and(v128.swizzle(low, v128.and(bytes, half)), v128.swizzle(high, v128.shr<u8>(bytes, 4)))
}

/** By byte, whether it is no part of a word. */
function gapsIn(classes: v128): u32 {
  return <u32>i8x16.bitmask(i8x16.eq(v128.and(classes, i8x16.splat(WORD)), i8x16.splat(0)))
}

/** Whether a piece of these 80 bytes may have enough digits for a number that counts. */
function mayBeNumbers(before: u64, digits: u64): bool {
  const start = before | (digits << 16)
  // Two digits with one byte between them: by where the first stands, in the first 62 bytes, and in the others.
  const apart = popcnt<u64>(start & ~(start >> 1) & (start >> 2))
  const later = popcnt<u64>((digits & ~(digits >> 1) & (digits >> 2)) >> 46)
  const many = popcnt<u64>(before) + popcnt<u64>(digits)
  if (apart + later > 0) return many >= 9 || apart + later >= 3
  return many >= 13 && (runs13(start) || runs13(digits))
}

function runs13(bits: u64): bool {
  const two = bits & (bits >> 1)
  const four = two & (two >> 2)
  return (four & (four >> 4) & (four >> 8) & (bits >> 12)) !== 0
}

/** Whether there are three colons in these 80 bytes, or two side by side. */
function areColons(before: v128, a: v128, b: v128, c: v128, d: v128): bool {
  const start = <u64>bits(before, a, 7) | ((<u64>bits(b, c, 7)) << 32)
  const end = bits(c, d, 7)
  return (
    popcnt<u64>(start) + popcnt<u32>(end >> 16) >= 3 ||
    (start & (start >> 1)) !== 0 ||
    (end & (end >> 1)) !== 0
  )
}

/** Whether 16 bits stand side by side. */
function runs16(bits: u64): bool {
  const two = bits & (bits >> 1)
  const four = two & (two >> 2)
  const eight = four & (four >> 4)
  return (eight & (eight >> 8)) !== 0
}

/** Whether there are nine digits, or three times two with one byte between them. */
function areMany(digits: u32): bool {
  return popcnt<u32>(digits) >= 9 || popcnt<u32>(digits & ~(digits >> 1) & (digits >> 2)) >= 3
}

/** Whether 32 bytes of these classes may hold a match. */
function mayMatch(first: v128, second: v128, digits: u32): bool {
  const ats = bits(first, second, 6)
  // Before and behind the @ of an address stands a letter, or a digit; where that is in another piece, that piece is told.
  if (ats !== 0 && (ats & (thoseOf(WORD, first, second) >> 1) & (thoseOf(LOCAL, first, second) << 1)) !== 0)
    return true
  const colons = bits(first, second, 7)
  if (popcnt<u32>(colons) >= 3 || (colons & (colons >> 1)) !== 0) return true
  if ((bits(first, second, 3) & (digits >> 1)) !== 0) return true
  if (!areMany(digits)) return false
  const two = digits & (digits >> 1)
  const four = two & (two >> 2)
  // 13 side by side.
  if ((four & (four >> 4) & (four >> 8) & (digits >> 12)) !== 0) return true
  const between = bits(first, second, 1) | bits(first, second, 2)
  const apart = digits & (between >> 1) & (digits >> 2)
  return apart !== 0 && (popcnt<u32>(digits) >= 9 || popcnt<u32>(apart) >= 3)
}

/** By byte, whether it is of one of these classes. */
function thoseOf(classes: i8, first: v128, second: v128): u32 {
  const these = i8x16.splat(classes)
  const none = i8x16.splat(0)
  const start = <u32>i8x16.bitmask(i8x16.ne(v128.and(first, these), none))
  return start | ((<u32>i8x16.bitmask(i8x16.ne(v128.and(second, these), none))) << 16)
}

/** By byte, the bit that is the highest after a shift. */
function bits(first: v128, second: v128, shift: i32): u32 {
  return <u32>i8x16.bitmask(i8x16.shl(first, shift)) | ((<u32>i8x16.bitmask(i8x16.shl(second, shift))) << 16)
}
