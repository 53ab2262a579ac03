/** What a target of a plan finds in the span: see `ingest/otlp/attribute-lookup.ts`. */
import {
  EMPTY,
  INT,
  isIndexed,
  isPlain,
  kindAt,
  setIndexed,
  textFrom,
  textTo,
  wireFrom,
  wireTo,
} from './attribute'
import { inside, text as writeTextByHost } from './host'
import { ATTRIBUTE_SIZE, ATTRIBUTES, STARTS, TEXT, TEXT_SIZE } from './layout'
import { addLeaf, addLeaves } from './leaves'
import { FULL, fail, UNSUPPORTED } from './output'
import {
  attributeOf,
  cleanerOf,
  countOf,
  endOffset,
  endPiece,
  isNoText,
  memberOf,
  pathInside,
  startOffset,
  startPiece,
} from './plan'

const QUOTE: u32 = 34
const BACKSLASH: u32 = 92
/** Bytes of a value in which small facts are looked for. */
const MAX_SEARCHED: usize = 65_536
/** Bytes of a value in which a dump would show. */
const MAX_LOOKED_AT: usize = 256

/** Where the value found last stands. */
export let from: usize = 0
export let to: usize = 0

export function attributeAt(i: i32): usize {
  return ATTRIBUTES + i * ATTRIBUTE_SIZE
}

/** The first source with a value that is neither null nor an empty text; 0 if there is none. */
export function first(sources: usize): usize {
  const count = countOf(sources)
  for (let i = 0; i < count; i++) {
    const source: usize = memberOf(sources, i)
    if (!isThere(source) || (to - from === 2 && load<u8>(from) === QUOTE)) continue
    const cleaner = cleanerOf(source)
    if (cleaner === 0 || !isDumped(cleaner, isNoText(source))) return source
  }
  return 0
}

/** The first source with a value other than null; 0 if there is none. */
export function set(sources: usize): usize {
  const count = countOf(sources)
  for (let i = 0; i < count; i++) if (isThere(memberOf(sources, i))) return memberOf(sources, i)
  return 0
}

function isThere(source: usize): bool {
  const i = attributeOf(source)
  if (i < 0) {
    from = load<u32>(STARTS + startPiece(source) * 4) + startOffset(source)
    to = load<u32>(STARTS + endPiece(source) * 4) + endOffset(source)
    return true
  }
  const attribute = attributeAt(i)
  from = textFrom(attribute)
  to = textTo(attribute)
  const path = pathInside(source)
  if (path >= 0) {
    const c: u32 = load<u8>(from)
    if ((c !== 123 && c !== 91) || to - from > MAX_SEARCHED) return false
    const found = inside(from, to, path)
    if (found === 0) return false
    from = <usize>(found & 0xffffffff)
    to = <usize>(found >>> 32)
  }
  return kindAt(attribute) !== EMPTY && load<u8>(from) !== 110
}

/** Whether the value just found is a dump of a program's objects, or a part of it, and another source has it clean. */
function isDumped(cleaner: usize, noText: bool): bool {
  const begin = from
  const end = to
  const isPassed = (noText && <u32>load<u8>(begin) === QUOTE) || isDump(begin, end)
  if (isPassed && first(cleaner) !== 0) return true
  from = begin
  to = end
  return false
}

/**
 * Constructors that LangChain wrote as JSON begin with `"lc":1,"type":"constructor"`, objects of Python `Name(key=`, and
 * answers that LlamaIndex printed `assistant: `.
 */
function isDump(begin: usize, limit: usize): bool {
  if (begin + 12 <= limit && load<u64>(begin) === 0x6174736973736122 && load<u32>(begin, 8) === 0x203a746e)
    return true
  const end = min(limit, begin + MAX_LOOKED_AT)
  for (let at = begin; at < end; at++) {
    const byte: u32 = load<u8>(at)
    if (byte === QUOTE && load<u16>(at, 1) === 0x636c) {
      if (isConstructor(at, limit)) return true
    } else if (byte === 40 && isCall(begin, at, limit)) return true
  }
  return false
}

function isConstructor(at: usize, limit: usize): bool {
  return (
    at + 27 <= limit &&
    load<u64>(at) === 0x222c313a22636c22 &&
    load<u64>(at, 8) === 0x63223a2265707974 &&
    load<u64>(at, 16) === 0x7463757274736e6f &&
    load<u16>(at, 24) === 0x726f &&
    load<u8>(at, 26) === QUOTE
  )
}

function isLetter(byte: u32): bool {
  const letter = byte | 32
  return (letter >= 97 && letter <= 122) || byte === 95
}

function isOfName(byte: u32): bool {
  return isLetter(byte) || (byte >= 48 && byte <= 57)
}

/** Whether a name before the bracket at `bracket` is called with a key. */
function isCall(begin: usize, bracket: usize, limit: usize): bool {
  let name = bracket
  while (name > begin && isOfName(load<u8>(name - 1))) name--
  if (name === bracket || !isLetter(load<u8>(name))) return false
  const end = min(limit, bracket + MAX_LOOKED_AT)
  let at = bracket + 1
  while (at < end && isOfName(load<u8>(at))) at++
  return at > bracket + 1 && at < end && load<u8>(at) === 61
}

/**
 * The value found last as text; false if it is an object or a list. Moves `from` and `to` to the text, which may stand
 * in memory that the next one takes.
 */
export function toText(): bool {
  const c: u32 = load<u8>(from)
  if (c === 123 || c === 91) return false
  if (c === QUOTE) {
    if (!has(BACKSLASH)) {
      from++
      to--
      return true
    }
  } else if (!has(46)) return true
  const written = writeTextByHost(from, to, TEXT, TEXT + TEXT_SIZE)
  if (written < 0) fail(FULL)
  from = TEXT
  to = TEXT + max(written, 0)
  return true
}

function has(wanted: u32): bool {
  for (let at = from; at < to; at++) if (<u32>load<u8>(at) === wanted) return true
  return false
}

/** The first value as text; false if there is none. */
export function firstText(sources: usize): bool {
  return countOf(sources) > 0 && first(sources) !== 0 && toText()
}

/** Whether the text found last is the `length` bytes of `word`. */
export function isText(word: u64, length: usize): bool {
  if (to - from !== length) return false
  return (load<u64>(from) & (0xffffffffffffffff >>> <u64>(64 - length * 8))) === word
}

/** No count, and none of which the walker knows how to read it. */
export const NO_COUNT: u64 = 0xffffffffffffffff

/** The value found last as a count: a whole number, in a number or a text. */
export function toCount(): u64 {
  const quoted: usize = load<u8>(from) === QUOTE ? 1 : 0
  const end = to - quoted
  let at = from + quoted
  if (at >= end) return NO_COUNT
  const begin = at
  let value: u64 = 0
  for (; at < end; at++) {
    const digit = <u32>load<u8>(at) - 48
    if (digit > 9) break
    value = value * 10 + digit
    if (at - begin > 14) {
      fail(UNSUPPORTED)
      return NO_COUNT
    }
  }
  if (at === end) return value
  // The fraction is dropped. Other forms of numbers are rare.
  if (at > begin && load<u8>(at) === 46 && end - begin <= 15) {
    for (at++; at < end; at++) if (<u32>load<u8>(at) - 48 > 9) break
    if (at === end) return value
  }
  if (mayBeNumber(begin, end)) fail(UNSUPPORTED)
  return NO_COUNT
}

function mayBeNumber(begin: usize, end: usize): bool {
  for (let at = begin; at < min(end, begin + 40); at++) {
    const byte: u32 = load<u8>(at)
    const isOfNumber = byte - 48 <= 9 || byte === 43 || byte === 45 || byte === 46 || (byte | 32) === 101
    if (!isOfNumber) return false
  }
  return true
}

/** Adds the leaves of a list, with the hashes of their paths. */
export function addLeavesOf(list: usize): void {
  const count = countOf(list)
  for (let i = 0; i < count; i++) {
    const leaf = list + 4 + i * 8
    addLeavesAt(attributeAt(load<i32>(leaf)), load<u32>(leaf, 4))
  }
}

/** Adds those leaves of a list that no column has yet. */
export function addOtherLeavesOf(list: usize): void {
  const count = countOf(list)
  for (let i = 0; i < count; i++) {
    const leaf = list + 4 + i * 8
    const attribute = attributeAt(load<i32>(leaf))
    if (!isIndexed(attribute)) addLeavesAt(attribute, load<u32>(leaf, 4))
  }
}

function addLeavesAt(attribute: usize, path: u32): void {
  setIndexed(attribute)
  if (isPlain(attribute)) {
    if (wireTo(attribute) > wireFrom(attribute)) addLeaf(path, wireFrom(attribute), wireTo(attribute))
  } else if (kindAt(attribute) !== INT && kindAt(attribute) !== EMPTY) {
    addLeaves(path, textFrom(attribute), textTo(attribute))
  }
}
