/** The leaves of the row at hand: see `domain/calls/leaves.ts` and `json-leaves.ts`. */
import { unitAt } from './json'
import { LEAF, LEAF_ENDS, leaves } from './layout'
import { murmur3 } from './murmur'
import { fail, UNSUPPORTED } from './output'

const QUOTE: u32 = 34
const BACKSLASH: u32 = 92
const TEXT_LIMIT: usize = 256
const LIMIT: u32 = 256
const TRUNCATED: u32 = 0
const DEPTH_LIMIT: i32 = 512

/** Hashes in closed rows, and in all. */
let closed: u32 = 0
let count: u32 = 0
let escaped = false
let textEnd: usize = 0

export function clearLeaves(): void {
  closed = count = 0
}

export function dropLeaves(): void {
  count = closed
}

export function closeLeaves(row: usize): void {
  closed = count
  store<u32>(LEAF_ENDS + row * 4, count)
}

function add(hash: u32): void {
  const pending = count - closed
  if (pending >= LIMIT) return
  store<u32>(leaves + count * 4, pending === LIMIT - 1 ? TRUNCATED : hash)
  count++
}

/** Adds the leaf with the text `[from, to)`, which is not empty. */
export function addLeaf(path: u32, from: usize, to: usize): void {
  if (to - from > TEXT_LIMIT) return
  const hash = murmur3(path ^ 0x5bd1e995, from, to)
  add(hash === TRUNCATED ? 1 : hash)
}

/** Adds the leaves of the JSON text `[from, to)` in its stored form at a path. */
export function addLeaves(path: u32, from: usize, to: usize): void {
  textEnd = to
  value(from, path, 0)
}

/** Reads the value at `at`; returns the position after it. */
function value(at: usize, path: u32, depth: i32): usize {
  const first: u32 = load<u8>(at)
  if (first === QUOTE) {
    const end = stringEnd(at)
    addString(at + 1, end - 1, path)
    return end
  }
  if (first === 123 || first === 91) {
    if (depth === DEPTH_LIMIT) {
      add(TRUNCATED)
      return textEnd
    }
    return first === 123 ? object(at, path, depth) : list(at, path, depth)
  }
  const end = tokenEnd(at)
  if (first === 116 || first === 102) addLeaf(path, at, end)
  return end
}

function object(start: usize, path: u32, depth: i32): usize {
  let at = start + 1
  while (at < textEnd && load<u8>(at) !== 125) {
    const end = stringEnd(at)
    const key = keyHash(at + 1, end - 1, path)
    at = value(end + 1, key, depth + 1)
    if (load<u8>(at) === 44) at++
  }
  return at + 1
}

function list(start: usize, path: u32, depth: i32): usize {
  let at = start + 1
  for (let index: u32 = 0; at < textEnd && load<u8>(at) !== 93; index++) {
    const first: u32 = load<u8>(at)
    // Numbers and null are no leaves.
    const isNone = first < 58 ? first !== QUOTE : first === 110
    at = isNone ? tokenEnd(at) : value(at, indexHash(path, index), depth + 1)
    if (load<u8>(at) === 44) at++
  }
  return at + 1
}

function indexHash(path: u32, index: u32): u32 {
  let from = LEAF + 16
  const to = from
  let rest = index
  do {
    from--
    store<u8>(from, 48 + (rest % 10))
    rest /= 10
  } while (rest > 0)
  return murmur3(path, from, to)
}

function addString(from: usize, to: usize, path: u32): void {
  if (to === from) return
  if (!escaped) {
    addLeaf(path, from, to)
    return
  }
  const length = writeUnescaped(from, to)
  if (length <= TEXT_LIMIT) addLeaf(path, LEAF, LEAF + length)
}

function keyHash(from: usize, to: usize, parent: u32): u32 {
  if (!escaped) return murmur3(parent, from, to)
  if (to - from > TEXT_LIMIT) fail(UNSUPPORTED)
  const length = writeUnescaped(from, to)
  return murmur3(parent, LEAF, LEAF + length)
}

/** Writes what the JSON string `[from, to)` says to LEAF; returns its length, or more than a leaf may have. */
function writeUnescaped(from: usize, to: usize): usize {
  let length: usize = 0
  let at = from
  while (at < to && length <= TEXT_LIMIT) {
    const byte: u32 = load<u8>(at)
    if (byte !== BACKSLASH) {
      store<u8>(LEAF + length, byte)
      length++
      at++
    } else if (load<u8>(at, 1) !== 117) {
      store<u8>(LEAF + length, letterOf(load<u8>(at, 1)))
      length++
      at += 2
    } else {
      const unit = <u32>unitAt(at)
      at += 6
      if (unit >= 0xd800 && unit <= 0xdfff) {
        const low = <u32>unitAt(at)
        // A half that stands alone was replaced when the text was stored.
        if (low < 0xdc00 || low > 0xdfff) fail(UNSUPPORTED)
        at += 6
        length = writeCharacter(length, 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff))
      } else length = writeCharacter(length, unit)
    }
  }
  return length
}

/** What the letter after a backslash stands for. */
function letterOf(letter: u32): u32 {
  if (letter === 110) return 10
  if (letter === 116) return 9
  if (letter === 114) return 13
  if (letter === 98) return 8
  return letter === 102 ? 12 : letter
}

function writeCharacter(length: usize, code: u32): usize {
  const at = LEAF + length
  if (code < 0x80) {
    store<u8>(at, code)
    return length + 1
  }
  if (code < 0x800) {
    store<u8>(at, 0xc0 | (code >> 6))
    store<u8>(at, 0x80 | (code & 63), 1)
    return length + 2
  }
  if (code < 0x10000) {
    store<u8>(at, 0xe0 | (code >> 12))
    store<u8>(at, 0x80 | ((code >> 6) & 63), 1)
    store<u8>(at, 0x80 | (code & 63), 2)
    return length + 3
  }
  store<u8>(at, 0xf0 | (code >> 18))
  store<u8>(at, 0x80 | ((code >> 12) & 63), 1)
  store<u8>(at, 0x80 | ((code >> 6) & 63), 2)
  store<u8>(at, 0x80 | (code & 63), 3)
  return length + 4
}

/** The position after the string whose opening quote is at `at`; `escaped` says whether it has escapes. */
function stringEnd(at: usize): usize {
  let end = at + 1
  escaped = false
  while (end < textEnd) {
    const bytes = v128.load(end)
    const found = i8x16.bitmask(
      v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH))),
    )
    if (found === 0) {
      end += 16
      continue
    }
    end += ctz<i32>(found)
    if (load<u8>(end) === QUOTE) return end + 1
    escaped = true
    end += 2
  }
  return textEnd
}

/** The position after the number or word at `at`. */
function tokenEnd(at: usize): usize {
  let end = at
  while (end < textEnd) {
    const byte: u32 = load<u8>(end)
    if (byte === 44 || byte === 125 || byte === 93 || byte <= 32) break
    end++
  }
  return end
}
