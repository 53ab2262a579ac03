/** Checks JSON text and writes its stored form: see `platform/json/scan.ts` and `minify.ts`. */
import { NESTING } from './layout'
import { goTo, hasRoom, position } from './output'
import { endings, endingsAt, lastLetters } from './setup'
import { isUtf8 } from './text'

const QUOTE: u32 = 34
const BACKSLASH: u32 = 92
const COMMA: u32 = 44
const COLON: u32 = 58
const MAX_DEPTH: usize = 512
const IN_OBJECT: u32 = 1

/** What a text is. */
const NO_JSON: i32 = 0
/** JSON in its stored form. */
export const STORED: i32 = 1
/** JSON with white space. */
export const SPACED: i32 = 2
/** JSON of which more than white space changes, perhaps. */
export const CHANGED: i32 = 3

let spaces = false
let changes = false
let wide = false
let escapes = false

function skipSpace(p: usize): usize {
  let at = p
  let c: u32 = load<u8>(at)
  if (c > 32) return at
  while (c === 32 || c === 10 || c === 13 || c === 9) {
    spaces = true
    at++
    c = load<u8>(at)
  }
  return at
}

/** By byte, whether the plain bytes of a string end there. */
function ends(bytes: v128): i32 {
  const quotes = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH)))
  return i8x16.bitmask(v128.or(quotes, v128.lt<u8>(bytes, i8x16.splat(32))))
}

/** Where the closing quote of the string stands that begins at `p`, behind its quote; 0 if it has none. */
function scanString(p: usize): usize {
  let at = p
  while (true) {
    const bytes = v128.load(at)
    const found = ends(bytes)
    const high = i8x16.bitmask(bytes)
    if (found === 0) {
      if (high !== 0) wide = true
      at += 16
      continue
    }
    const plain = ctz<i32>(found)
    if ((high & ((1 << plain) - 1)) !== 0) wide = true
    at += plain
    const c: u32 = load<u8>(at)
    if (c === QUOTE) return at
    if (c !== BACKSLASH) return 0
    at = scanEscape(at)
    if (at === 0) return 0
  }
}

function hexValue(c: u32): i32 {
  if (c >= 48 && c <= 57) return c - 48
  const letter = c | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

/** The code unit of the `\uXXXX` at `p`, or -1 if there is none. */
export function unitAt(p: usize): i32 {
  if (load<u8>(p) !== BACKSLASH || load<u8>(p, 1) !== 117) return -1
  let unit = 0
  for (let i: usize = 2; i < 6; i++) {
    const digit = hexValue(load<u8>(p + i))
    if (digit < 0) return -1
    unit = (unit << 4) | digit
  }
  return unit
}

/** The offset after the escape at `p`, 0 if it is none. */
function scanEscape(p: usize): usize {
  escapes = true
  const c: u32 = load<u8>(p, 1)
  if (c === 117) {
    const unit = unitAt(p)
    if (unit < 0) return 0
    if (unit < 0xd800 || unit > 0xdfff) return p + 6
    const low = unit < 0xdc00 ? unitAt(p + 6) : -1
    if (low >= 0xdc00 && low <= 0xdfff) return p + 12
    changes = true
    return p + 6
  }
  const isShort =
    c === QUOTE || c === BACKSLASH || c === 47 || c === 98 || c === 102 || c === 110 || c === 114 || c === 116
  return isShort ? p + 2 : 0
}

function digits(p: usize): usize {
  let at = p
  while (<u32>load<u8>(at) - 48 <= 9) at++
  return at === p ? 0 : at
}

function scanNumber(p: usize): usize {
  let at = p
  if (load<u8>(at) === 45) at++
  if (load<u8>(at) === 48) at++
  else at = digits(at)
  if (at !== 0 && load<u8>(at) === 46) at = digits(at + 1)
  if (at !== 0 && (load<u8>(at) | 32) === 101) {
    const sign = load<u8>(at, 1)
    at = digits(sign === 43 || sign === 45 ? at + 2 : at + 1)
  }
  return at
}

function scanWord(p: usize): usize {
  const word = load<u32>(p)
  if (word === 0x65757274 || word === 0x6c6c756e) return p + 4
  return word === 0x736c6166 && load<u8>(p, 4) === 101 ? p + 5 : 0
}

/** Scans a key and its colon; returns where its value begins. */
function scanKey(p: usize): usize {
  if (load<u8>(p) !== QUOTE) return 0
  escapes = false
  const close = scanString(p + 1)
  if (close === 0) return 0
  if (!changes && mayHoldCredential(p + 1, close)) changes = true
  const at = skipSpace(close + 1)
  return load<u8>(at) === COLON ? skipSpace(at + 1) : 0
}

/** A first look at a key: true for some others too, never false for a credential's. */
function mayHoldCredential(from: usize, to: usize): bool {
  if (to - from < 6) return false
  if (escapes) return true
  let letters = 0
  let word: u32 = 0
  let last: u32 = 0
  for (let p = to; p > from; ) {
    p--
    const c: u32 = load<u8>(p)
    if (c >= 128) return true
    if (c === 95 || c === 45) continue
    const letter = c | 32
    if (letters === 0 && ((lastLetters() >>> (letter & 31)) & 1) === 0) return false
    word = (word >>> 8) | (letter << 24)
    letters++
    if (letters === 4) last = word
    else if (letters === 6) return isEnding(last, word >>> 16)
  }
  return false
}

function isEnding(last: u32, before: u32): bool {
  const pairs = endingsAt()
  const count = <usize>endings()
  for (let i: usize = 0; i < count; i++)
    if (load<u32>(pairs + i * 8) === last && (load<u32>(pairs + i * 8, 4) & 0xffff) === (before & 0xffff))
      return true
  return false
}

/** Scans the value at `p`; returns the offset after it, 0 if it is none. */
function scanValue(start: usize): usize {
  let p = start
  let depth: usize = 0
  while (true) {
    const c: u32 = load<u8>(p)
    if (c === QUOTE) {
      p = scanString(p + 1)
      if (p === 0) return 0
      p++
    } else if (c === 123 || c === 91) {
      if (depth >= MAX_DEPTH) return 0
      p = skipSpace(p + 1)
      if (load<u8>(p) === c + 2) p++
      else {
        store<u8>(NESTING + depth, c === 123 ? IN_OBJECT : 0)
        depth++
        if (c === 123) {
          p = scanKey(p)
          if (p === 0) return 0
        }
        continue
      }
    } else {
      p = c === 45 || (c >= 48 && c <= 57) ? scanNumber(p) : scanWord(p)
      if (p === 0) return 0
    }
    p = afterValue(p, depth)
    if (p === 0) return 0
    depth = open
    if (depth === 0) return p
  }
}

let open: usize = 0

/** Closes what ends behind a value, up to the next value; `open` says how many containers are left. 0: neither. */
function afterValue(start: usize, containers: usize): usize {
  let p = start
  let depth = containers
  while (depth > 0) {
    p = skipSpace(p)
    const isObject = load<u8>(NESTING + depth - 1) === IN_OBJECT
    const next: u32 = load<u8>(p)
    if (next === COMMA) {
      open = depth
      p = skipSpace(p + 1)
      return isObject ? scanKey(p) : p
    }
    if (next !== <u32>(isObject ? 125 : 93)) return 0
    p++
    depth--
  }
  open = 0
  return p
}

/** What the text `[from, to)` is. The byte behind it is overwritten for a moment, so that every scan ends there. */
export function kindOf(from: usize, to: usize): i32 {
  const behind = load<u8>(to)
  store<u8>(to, 0)
  spaces = changes = wide = false
  let p = scanValue(skipSpace(from))
  if (p !== 0) p = skipSpace(p)
  store<u8>(to, behind)
  if (p !== to || (wide && !isUtf8(from, to))) return NO_JSON
  return changes ? CHANGED : spaces ? SPACED : STORED
}

/** Appends the JSON text `[from, to)` without its white space. */
export function minify(from: usize, to: usize): void {
  if (!hasRoom(to - from)) return
  let at = position()
  let p = from
  while (p < to) {
    const c: u32 = load<u8>(p)
    if (c > 32) {
      store<u8>(at, c)
      at++
    }
    p++
    if (c !== QUOTE) continue
    while (true) {
      const bytes = v128.load(p)
      v128.store(at, bytes)
      const found = ends(bytes)
      const plain: usize = found === 0 ? 16 : ctz<i32>(found)
      p += plain
      at += plain
      if (found === 0) continue
      store<u16>(at, load<u16>(p))
      if (load<u8>(p) === QUOTE) break
      p += 2
      at += 2
    }
    p++
    at++
  }
  goTo(at)
}
