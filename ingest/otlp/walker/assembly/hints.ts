/**
 * Where the request may hold something that a detector of masking finds: see `domain/masking/detectors.ts`. Says only
 * what can't be excluded at a glance; `ingest/otlp/hints.ts` does the same in TypeScript.
 */

/**
 * Classes of bytes, a bit each: what the low and the high half of a byte have in common. Those of words are the four
 * highest, a digit's the highest of all, so that a bit of each byte tells of both.
 */
const DIGIT: i32 = 128
/** A to O. */
const FIRST_LETTERS: i32 = 64
/** P to Z, the underscore, and the byte 127. */
const LAST_LETTERS: i32 = 32
const DASH: i32 = 16
const AT: i32 = 8
const PLUS: i32 = 4
// 2: a colon.
/** A space, a closing parenthesis, a point, a percent sign. */
const GAP: i32 = 1
/** What is seldom in texts, and never without meaning here. */
const SELDOM: i8 = <i8>(AT | PLUS)
const SEPARATOR: i8 = <i8>(GAP | DASH)
/** What may stand before the @ of an address, and more. */
const LOCAL: i8 = <i8>(DIGIT | FIRST_LETTERS | LAST_LETTERS | DASH | PLUS | GAP)
/** With this, every class but 0 overflows into the highest bit. */
const TO_ALL: i8 = 127

/**
 * What the loop needs of all this lies in memory: V8 would make constants anew for each use. By half of a byte, 0 to f,
 * its classes.
 */
const LOW: usize = memory.data<u8>([169, 224, 224, 224, 224, 225, 224, 224, 224, 225, 98, 68, 64, 80, 65, 96])
const HIGH: usize = memory.data<u8>([0, 0, 21, 130, 72, 32, 64, 32, 0, 0, 0, 0, 0, 0, 0, 0])
const HALF: usize = memory.data<u8>([15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15])
/** With this, classes of words overflow. */
const TO_WORDS: usize = memory.data<u8>([
  112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112,
])
/** With this, those of signs, an @, a plus and a colon, do, too. */
const TO_SIGNS: usize = memory.data<u8>([
  126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126,
])

/** How far to shift classes until a bit is the highest. */
const OF_DASH: i32 = 3
const OF_AT: i32 = 4
const OF_PLUS: i32 = 5
const OF_COLON: i32 = 6
const OF_GAP: i32 = 7

/**
 * Writes, at `out`, where pieces of 32 bytes begin that may hold a match, one of every 16, as distances from `from`.
 * What stands 32 bytes behind `to` must be 0. Returns how many there are.
 */
export function hints(from: usize, to: usize, out: usize): i32 {
  const low = v128.load(LOW)
  const high = v128.load(HIGH)
  const half = v128.load(HALF)
  const toWords = v128.load(TO_WORDS)
  const toSigns = v128.load(TO_SIGNS)
  let count = 0
  /** of the last 16 bytes, their classes */
  let before = i8x16.splat(0)
  /** of the last 64 bytes, which are digits, words, signs; digits after another but one, what follows a sign */
  let digitsBefore: u64 = 0
  let wordsBefore: u64 = 0
  let signsBefore: u64 = 0
  let apartBefore: u64 = 0
  let followBefore: u64 = 0
  for (let at = from; at < to + 16; at += 64) {
    const a = classesOf(v128.load(at), low, high, half)
    const b = classesOf(v128.load(at, 16), low, high, half)
    const c = classesOf(v128.load(at, 32), low, high, half)
    const d = classesOf(v128.load(at, 48), low, high, half)
    const digits = highest(a, b, c, d)
    const words = overflow(a, b, c, d, toWords)
    const wordsOrSigns = overflow(a, b, c, d, toSigns)
    const signs = wordsOrSigns & ~words
    const follow = ((signs << 1) | (signsBefore >> 63)) & wordsOrSigns
    const apart = digits & ~((digits << 1) | (digitsBefore >> 63)) & ((digits << 2) | (digitsBefore >> 62))
    const earlier = popcnt<u64>(apartBefore >> 48)
    const pairs = earlier + popcnt<u64>(apart)
    const many = popcnt<u64>(digitsBefore >> 48) + popcnt<u64>(digits)
    const isRun = <i32>runs16(words) | <i32>(clz<u64>(~wordsBefore) + ctz<u64>(~words) >= 16)
    const areMany = <i32>(many + pairs + pairs + pairs >= 12)
    const areSigns = <i32>((follow | (followBefore >> 48)) !== 0)
    // Mostly nothing is there at all; so that is asked at once, which a processor foresees. Of numbers: there are 13
    // digits, or 9 and a pair, or three pairs of at least 4.
    if (isRun | areMany | areSigns) {
      if (
        isRun ||
        (areMany &&
          (areNumbers(a, b, c, d, apart, earlier, many) ||
            (many >= 13 && (runs13(digits) || runs13((digitsBefore >> 48) | (digits << 16)))))) ||
        (areSigns && (areSeldom(before, a, b, c, d) || areColons(before, a, b, c, d)))
      ) {
        let last = before
        let place: i32 = <i32>(at - from)
        for (let i: u64 = 0; i < 64 && at + <usize>i < to + 16; i += 16) {
          const next = i === 0 ? a : i === 16 ? b : i === 32 ? c : d
          const ofWords = <u32>(i === 0 ? (wordsBefore >> 48) | (words << 16) : words >> (i - 16))
          const ofDigits = <u32>(i === 0 ? (digitsBefore >> 48) | (digits << 16) : digits >> (i - 16))
          if (runs16(<u64>ofWords) || mayMatch(last, next, ofWords, ofDigits)) {
            store<u32>(out + ((<usize>count) << 2), place < 16 ? 0 : place - 16)
            count++
          }
          last = next
          place += 16
        }
      }
    }
    before = d
    digitsBefore = digits
    wordsBefore = words
    signsBefore = signs
    apartBefore = apart
    followBefore = follow
  }
  return count
}

function classesOf(bytes: v128, low: v128, high: v128, half: v128): v128 {
  // By 16 bits, which is one instruction; what comes from the neighbour is cut off.
  const upper = v128.and(v128.shr<u16>(bytes, 4), half)
  return v128.and(v128.swizzle(low, v128.and(bytes, half)), v128.swizzle(high, upper))
}

/** The highest bit of each of 64 bytes. */
function highest(a: v128, b: v128, c: v128, d: v128): u64 {
  const start = <u32>i8x16.bitmask(a) | ((<u32>i8x16.bitmask(b)) << 16)
  return <u64>start | ((<u64>(<u32>i8x16.bitmask(c) | ((<u32>i8x16.bitmask(d)) << 16))) << 32)
}

/** The highest bit of each of 64 bytes to which `more` is added. */
function overflow(a: v128, b: v128, c: v128, d: v128, more: v128): u64 {
  return highest(
    i8x16.add_sat_u(a, more),
    i8x16.add_sat_u(b, more),
    i8x16.add_sat_u(c, more),
    i8x16.add_sat_u(d, more),
  )
}

/** Whether three times two digits stand around a separator in these 80 bytes, or one time and there are nine digits. */
function areNumbers(a: v128, b: v128, c: v128, d: v128, apart: u64, earlier: u64, many: u64): bool {
  const these = i8x16.splat(SEPARATOR)
  const all = i8x16.splat(TO_ALL)
  const separators = overflow(
    v128.and(a, these),
    v128.and(b, these),
    v128.and(c, these),
    v128.and(d, these),
    all,
  )
  // What stands before the first of them may be a separator.
  const pairs = earlier + popcnt<u64>(apart & ((separators << 1) | 1))
  return pairs >= 3 || (pairs > 0 && many >= 9)
}

/** Whether there is an @ or a plus in these 80 bytes. */
function areSeldom(before: v128, a: v128, b: v128, c: v128, d: v128): bool {
  const all = v128.or(v128.or(before, v128.or(a, b)), v128.or(c, d))
  return v128.any_true(v128.and(all, i8x16.splat(SELDOM)))
}

function runs13(digits: u64): bool {
  const two = digits & (digits >> 1)
  const four = two & (two >> 2)
  return (four & (four >> 4) & (four >> 8) & (digits >> 12)) !== 0
}

/** Whether there are three colons in these 80 bytes, or two side by side. */
function areColons(before: v128, a: v128, b: v128, c: v128, d: v128): bool {
  const start = <u64>bits(before, a, OF_COLON) | ((<u64>bits(b, c, OF_COLON)) << 32)
  const end = bits(c, d, OF_COLON)
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
function hasMany(digits: u32): bool {
  return popcnt<u32>(digits) >= 9 || popcnt<u32>(digits & ~(digits >> 1) & (digits >> 2)) >= 3
}

/** Whether 32 bytes of these classes may hold a match. */
function mayMatch(first: v128, second: v128, words: u32, digits: u32): bool {
  const ats = bits(first, second, OF_AT)
  // Before the @ of an address stands a letter or the like, and three behind it; where those are in another piece, that
  // piece is told.
  if (ats !== 0 && (ats & (words >> 1)) !== 0) {
    const locals = thoseOf(LOCAL, first, second)
    if ((ats & (words >> 1) & (locals << 1) & (locals >> 2) & (locals >> 3)) !== 0) return true
  }
  const colons = bits(first, second, OF_COLON)
  if ((colons & (colons >> 1)) !== 0 || popcnt<u32>(colons & (words >> 1)) >= 3) return true
  if ((bits(first, second, OF_PLUS) & (digits >> 1)) !== 0) return true
  if (!hasMany(digits)) return false
  const two = digits & (digits >> 1)
  const four = two & (two >> 2)
  // 13 side by side.
  if ((four & (four >> 4) & (four >> 8) & (digits >> 12)) !== 0) return true
  const between = bits(first, second, OF_GAP) | bits(first, second, OF_DASH)
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
  return <u32>i8x16.bitmask(i16x8.shl(first, shift)) | ((<u32>i8x16.bitmask(i16x8.shl(second, shift))) << 16)
}
