/**
 * Where the request may hold something that a detector of masking finds: see `domain/masking/detectors.ts`. Says only
 * what can't be excluded at a glance; `ingest/otlp/hints.ts` does the same in TypeScript.
 */

/** Classes of bytes, a bit each: what the low and the high half of a byte have in common. 64: a space, a closing parenthesis, a point. */
const DIGIT: i32 = 128
const AT: i32 = 2
const FIRST_LETTERS: i32 = 4
/** P to Z, and the underscore. */
const LAST_LETTERS: i32 = 8
const PLUS: i32 = 16
const DASH: i32 = 32
const COLON: i32 = 1
/** What is seldom in texts, and never without meaning here. */
const SELDOM: i8 = <i8>(AT | PLUS | COLON)
const WORD: i8 = <i8>(DIGIT | FIRST_LETTERS | LAST_LETTERS | DASH)

/**
 * Writes, at `out`, where pieces of 32 bytes begin that may hold a match, one of every 16, as distances from `from`.
 * What stands 32 bytes behind `to` must be 0. Returns how many there are.
 */
export function hints(from: usize, to: usize, out: usize): i32 {
  // By half: 0 to f. A digit has the highest bit.
  const low = i8x16(-54, -116, -116, -116, -116, -116, -116, -116, -116, -52, 13, 20, 4, 36, 68, 12)
  const high = i8x16(0, 0, 112, -127, 6, 8, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0)
  const half = i8x16.splat(15)
  const ofWord = i8x16.splat(WORD)
  const seldom = i8x16.splat(SELDOM)
  const none = i8x16.splat(0)
  let count = 0
  /** of the last 16 bytes: their classes, which are digits, how many letters and digits stand side by side at the end */
  let before = none
  let digits: u32 = 0
  let run: u32 = 0
  for (let at = from; at < to + 16; at += 32) {
    const first = classesOf(v128.load(at), low, high, half)
    const second = classesOf(v128.load(at, 16), low, high, half)
    const firstDigits = <u32>i8x16.bitmask(first)
    const secondDigits = <u32>i8x16.bitmask(second)
    // Others than letters and digits.
    const firstGaps = <u32>i8x16.bitmask(i8x16.eq(v128.and(first, ofWord), none))
    const secondGaps = <u32>i8x16.bitmask(i8x16.eq(v128.and(second, ofWord), none))
    const gaps = firstGaps | (secondGaps << 16)
    const all = <u64>digits | ((<u64>firstDigits) << 16) | ((<u64>secondDigits) << 32)
    // Mostly nothing is there at all.
    if (
      run + ctz<u32>(gaps) >= 16 ||
      runs16(~gaps) ||
      v128.any_true(v128.and(v128.or(before, v128.or(first, second)), seldom)) ||
      popcnt<u64>(all) >= 9 ||
      popcnt<u64>(all & ~(all >> 1) & (all >> 2)) >= 3
    ) {
      const middle = clz<u32>((firstGaps << 16) | 0x8000)
      const firstRun: u32 = firstGaps === 0 ? 16 : middle
      if (
        run + ctz<u32>(firstGaps | 0x10000) >= 16 ||
        mayMatch(before, first, digits | (firstDigits << 16))
      ) {
        store<u32>(out + ((<usize>count) << 2), at < from + 16 ? 0 : <u32>(at - from - 16))
        count++
      }
      if (
        at < to &&
        (firstRun + ctz<u32>(secondGaps | 0x10000) >= 16 ||
          mayMatch(first, second, firstDigits | (secondDigits << 16)))
      ) {
        store<u32>(out + ((<usize>count) << 2), <u32>(at - from))
        count++
      }
    }
    before = second
    digits = secondDigits
    run = secondGaps === 0 ? 16 : clz<u32>((secondGaps << 16) | 0x8000)
  }
  return count
}

function classesOf(bytes: v128, low: v128, high: v128, half: v128): v128 {
  return v128.and(v128.swizzle(low, v128.and(bytes, half)), v128.swizzle(high, v128.shr<u8>(bytes, 4)))
}

/** Whether 16 bits stand side by side. */
function runs16(bits: u32): bool {
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
  // Behind the @ of an address a letter follows, or a digit.
  if (ats !== 0 && (ats & (wordsIn(first, second) >> 1)) !== 0) return true
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

/** By byte, whether it is a letter, a digit, or what joins them. */
function wordsIn(first: v128, second: v128): u32 {
  const ofWord = i8x16.splat(WORD)
  const none = i8x16.splat(0)
  const start = <u32>i8x16.bitmask(i8x16.ne(v128.and(first, ofWord), none))
  return start | ((<u32>i8x16.bitmask(i8x16.ne(v128.and(second, ofWord), none))) << 16)
}

/** By byte, the bit that is the highest after a shift. */
function bits(first: v128, second: v128, shift: i32): u32 {
  return <u32>i8x16.bitmask(i8x16.shl(first, shift)) | ((<u32>i8x16.bitmask(i8x16.shl(second, shift))) << 16)
}
