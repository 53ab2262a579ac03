/**
 * The attributes of one message: read from the wire into a table, then written as nested JSON text. See
 * `ingest/otlp/attributes.ts` and `value.ts`; values of rare kinds are written there.
 */
import { value as writeByHost } from './host'
import { CHANGED, kindOf, minify, SPACED, STORED } from './json'
import { hashKey } from './keys'
import { ATTRIBUTE_SIZE, MAX_ATTRIBUTES } from './layout'
import * as literal from './literal'
import { writeDouble, writeVarint } from './number'
import { copy, end, FULL, fail, goTo, letters, position, UNSUPPORTED } from './output'
import { literalEnd, literalsOf, marksOf, valueAt, valuesOf } from './plan'
import { isUtf8, writeString } from './text'
import { after, skipVarint, varint } from './wire'

const KEY: u32 = 10
const VALUE: u32 = 18
const SECRET: u32 = 1
const IS_JSON: u32 = 2
const QUOTE: u8 = 34

/** Kinds of values: tags of the wire, and none. */
export const EMPTY: u32 = 0
const STRING: u32 = 10
const BOOL: u32 = 16
export const INT: u32 = 24
const DOUBLE: u32 = 33
const ARRAY: u32 = 42
const PAIRS: u32 = 50
const BYTES: u32 = 58

export function kindAt(attribute: usize): u32 {
  return load<u32>(attribute)
}

export function wireFrom(attribute: usize): usize {
  return load<u32>(attribute, 4)
}

export function wireTo(attribute: usize): usize {
  return load<u32>(attribute, 8)
}

/** Where its JSON text stands, and whether that is a plain text as on the wire. */
export function textFrom(attribute: usize): usize {
  return load<u32>(attribute, 12)
}

export function textTo(attribute: usize): usize {
  return load<u32>(attribute, 16)
}

export function isPlain(attribute: usize): bool {
  return load<u32>(attribute, 20) !== 0
}

/** Whether its leaves are indexed. */
export function isIndexed(attribute: usize): bool {
  return load<u32>(attribute, 24) !== 0
}

export function setIndexed(attribute: usize): void {
  store<u32>(attribute, 1, 24)
}

/** Reads the KeyValue `[from, end)` as attribute number `i` of a table; returns the hash of the keys with its own. */
export function addAttribute(table: usize, i: i32, from: usize, end: usize, hash: u64): u64 {
  if (i >= MAX_ATTRIBUTES) {
    fail(UNSUPPORTED)
    return hash
  }
  const attribute = table + i * ATTRIBUTE_SIZE
  let keyFrom: usize = from
  let keyTo: usize = from
  store<u32>(attribute, EMPTY)
  store<u32>(attribute, <u32>from, 4)
  store<u32>(attribute, <u32>from, 8)
  let at = from
  while (at < end) {
    const tag = <u32>load<u8>(at)
    const length = varint(at + 1)
    const begin = after()
    at = begin + length
    if (at > end) break
    if (tag === KEY) {
      keyFrom = begin
      keyTo = at
    } else if (tag === VALUE) readValue(attribute, begin, at)
    else fail(UNSUPPORTED)
  }
  if (at !== end) fail(UNSUPPORTED)
  store<u32>(attribute, <u32>keyFrom, 24)
  store<u32>(attribute, <u32>keyTo, 28)
  return hashKey(hash, keyFrom, keyTo)
}

/** Reads the AnyValue `[from, end)`; of several values the last one counts. */
function readValue(attribute: usize, from: usize, end: usize): void {
  let kind = EMPTY
  let valueFrom = from
  let valueTo = from
  let at = from
  while (at < end) {
    kind = <u32>load<u8>(at)
    at++
    valueFrom = at
    if (kind === STRING || kind === ARRAY || kind === PAIRS || kind === BYTES) {
      const length = varint(at)
      valueFrom = after()
      at = valueFrom + length
    } else if (kind === BOOL || kind === INT) at = skipVarint(at)
    else if (kind === DOUBLE) at += 8
    else {
      fail(UNSUPPORTED)
      return
    }
    valueTo = at
  }
  if (at !== end) fail(UNSUPPORTED)
  store<u32>(attribute, kind)
  store<u32>(attribute, <u32>valueFrom, 4)
  store<u32>(attribute, <u32>valueTo, 8)
}

/** Appends the attributes of a table as one JSON object; notes where each literal begins. */
export function writeAttributes(table: usize, nesting: usize, starts: usize): void {
  const literals = literalsOf(nesting)
  const pieces = valuesOf(nesting)
  let from = literals
  for (let piece = 0; piece <= pieces; piece++) {
    const to = literals + literalEnd(nesting, piece)
    store<u32>(starts + piece * 4, <u32>position())
    copy(from, to)
    from = to
    if (piece === pieces) break
    const i = valueAt(nesting, piece)
    const attribute = table + i * ATTRIBUTE_SIZE
    store<u32>(attribute, <u32>position(), 12)
    store<u32>(attribute, writeValue(attribute, marksOf(nesting, i)) ? 1 : 0, 20)
    store<u32>(attribute, <u32>position(), 16)
    store<u32>(attribute, 0, 24)
  }
}

/** Returns whether it is a plain text, stored as it came. */
function writeValue(attribute: usize, marks: u32): bool {
  const kind = kindAt(attribute)
  const from = wireFrom(attribute)
  const to = wireTo(attribute)
  if (kind === STRING) return writeText(from, to, marks)
  if (kind === INT) writeVarint(from)
  else if (kind === BOOL) writeBool(from, to)
  else if (kind === EMPTY) letters(0x6c6c756e, 4)
  else if (kind !== DOUBLE || !writeDouble(load<f64>(from))) return writeRare(kind, from, to, marks)
  return false
}

function writeBool(from: usize, to: usize): void {
  for (let at = from; at < to; at++) {
    if ((load<u8>(at) & 127) === 0) continue
    letters(0x65757274, 4)
    return
  }
  letters(0x65736c6166, 5)
}

function writeText(from: usize, to: usize, marks: u32): bool {
  if (marks !== 0 && to > from) {
    if ((marks & SECRET) !== 0) {
      literal.write(literal.redacted)
      return false
    }
    if (load<u8>(from) === QUOTE) {
      if (!isPlainString(from, to)) return writeRare(STRING, from, to, marks)
      copy(from, to)
      return false
    }
  }
  if (to - from > 1 && (load<u8>(from) === 123 || load<u8>(from) === 91)) {
    const kind = kindOf(from, to)
    if (kind === STORED) copy(from, to)
    else if (kind === SPACED) minify(from, to)
    else if (kind === CHANGED) return writeRare(STRING, from, to, marks)
    if (kind !== 0) return false
  }
  return writeString(from, to) || writeRare(STRING, from, to, marks)
}

/** Whether the text is a JSON string without escapes that doesn't hold JSON itself. */
function isPlainString(from: usize, to: usize): bool {
  if (to - from < 2 || load<u8>(to - 1) !== QUOTE) return false
  const first = load<u8>(from, 1)
  if (first === 123 || first === 91) return false
  for (let at = from + 1; at < to - 1; at++) {
    const byte = load<u8>(at)
    if (byte < 32 || byte === QUOTE || byte === 92) return false
  }
  return isUtf8(from, to)
}

function writeRare(kind: u32, from: usize, to: usize, marks: u32): bool {
  const written = writeByHost(
    kind,
    from,
    to,
    (marks & SECRET) !== 0,
    (marks & IS_JSON) !== 0,
    position(),
    end(),
  )
  if (written < 0) {
    fail(FULL)
    return false
  }
  goTo(position() + (written >> 1))
  return (written & 1) !== 0
}
