/**
 * Finds the leaves of JSON text and adds their hashes to a row (`leaves.ts` defines leaves). One pass over the bytes;
 * builds nothing. The text must be valid; it was checked on arrival.
 */
import { lookup } from '../../platform/json/fields.js'
import { PlainEnd } from '../../platform/json/plain-end.js'
import type { UInt32ArrayColumn } from './column.js'
import { addLeaf, LEAF_TEXT_LIMIT, leafHashAt, pathHash, ROOT, TRUNCATED } from './leaves.js'

/** The indexed columns, the first segment of a path. */
export type LeafRoot = 'inputs' | 'output' | 'attributes'

const DEPTH_LIMIT = 512
const QUOTE = 34
const BACKSLASH = 92

/** Adds the leaves of the JSON text `source[from, to)` of the column `root` to the current row. */
export function indexJson(
  leaves: UInt32ArrayColumn,
  root: LeafRoot,
  source: Uint8Array,
  from: number,
  to: number,
): void {
  indexJsonAt(leaves, rootHash[root], source, from, to)
}

/** Like {@link indexJson}, for text at the path with the hash `path`. */
export function indexJsonAt(
  leaves: UInt32ArrayColumn,
  path: number,
  source: Uint8Array,
  from: number,
  to: number,
): void {
  scan.source = source
  scan.to = to
  scan.leaves = leaves
  value(skipSpace(from), path, 0)
}

/** The hash of a column as the first segment of a path. */
export const rootHash: Readonly<Record<LeafRoot, number>> = {
  inputs: hashOf('inputs'),
  output: hashOf('output'),
  attributes: hashOf('attributes'),
}

/** Where the attributes of a span are read back in its call. */
export const SPAN_PATH: readonly string[] = ['attributes', 'otel_span', 'attributes']

/** The hash of {@link SPAN_PATH}. */
export const spanHash: number = hashOf(...SPAN_PATH)

/** Adds the leaves of the attributes of a span to the current row. @param text JSON of the span */
export function indexSpan(leaves: UInt32ArrayColumn, text: Buffer): void {
  const attributes = lookup(text, { from: 0, to: text.length }, SPAN_PATH.slice(-1))
  if (attributes) indexJsonAt(leaves, spanHash, text, attributes.from, attributes.to)
}

function hashOf(...path: readonly string[]): number {
  return path.reduce((parent, segment) => {
    const bytes = Buffer.from(segment)
    return pathHash(parent, bytes, 0, bytes.length)
  }, ROOT)
}

const scan: { source: Uint8Array; to: number; leaves: UInt32ArrayColumn | undefined; escapes: boolean } = {
  source: new Uint8Array(0),
  to: 0,
  leaves: undefined,
  /** True if the last string that `stringEnd` scanned has escapes. */
  escapes: false,
}
const digits = Buffer.alloc(10)

/** Reads the value at `at`; returns the position after it. */
function value(at: number, path: number, depth: number): number {
  const { source, leaves } = scan
  const first = source[at]
  if (first === QUOTE) {
    const end = stringEnd(at)
    string(at + 1, end - 1, path)
    return end
  }
  if (first === 123 || first === 91) {
    if (depth === DEPTH_LIMIT) {
      leaves!.add(TRUNCATED)
      return scan.to
    }
    return first === 123 ? object(at, path, depth) : list(at, path, depth)
  }
  const end = tokenEnd(at)
  if (first === 116 || first === 102) addLeaf(leaves!, leafHashAt(path, source, at, end))
  return end
}

function object(start: number, path: number, depth: number): number {
  const { source } = scan
  let at = skipSpace(start + 1)
  while (at < scan.to && source[at] !== 125) {
    const end = stringEnd(at)
    const key = segment(at + 1, end - 1, path)
    at = skipSpace(value(skipSpace(skipSpace(end) + 1), key, depth + 1))
    if (source[at] === 44) at = skipSpace(at + 1)
  }
  return at + 1
}

function list(start: number, path: number, depth: number): number {
  const { source } = scan
  let at = skipSpace(start + 1)
  for (let index = 0; at < scan.to && source[at] !== 93; index++) {
    // Skip numbers and null: they are not leaves, and lists of millions of numbers are common.
    at = skipSpace(isNone(source[at]!) ? tokenEnd(at) : value(at, indexHash(path, index), depth + 1))
    if (source[at] === 44) at = skipSpace(at + 1)
  }
  return at + 1
}

/** The hash of the path `parent` followed by the list index `index`. */
function indexHash(parent: number, index: number): number {
  return pathHash(parent, digits, 0, digits.write(String(index), 'latin1'))
}

function string(from: number, to: number, path: number): void {
  const { source, leaves } = scan
  if (to === from) return
  if (scan.escapes) {
    const length = writeUnescaped(from, to)
    if (length <= LEAF_TEXT_LIMIT) addLeaf(leaves!, leafHashAt(path, unescaped, 0, length))
  } else if (to - from <= LEAF_TEXT_LIMIT) addLeaf(leaves!, leafHashAt(path, source, from, to))
}

function segment(from: number, to: number, parent: number): number {
  if (!scan.escapes) return pathHash(parent, scan.source, from, to)
  const bytes = to - from > LEAF_TEXT_LIMIT ? parsed(from, to) : unescaped
  return pathHash(parent, bytes, 0, bytes === unescaped ? writeUnescaped(from, to) : bytes.length)
}

/** The UTF-8 bytes of the JSON string with the content `[from, to)`. */
function parsed(from: number, to: number): Buffer {
  const { source } = scan
  const text = Buffer.from(source.buffer, source.byteOffset + from - 1, to - from + 2).toString('utf8')
  const value: unknown = JSON.parse(text)
  return Buffer.from(String(value))
}

/** The last output of `writeUnescaped`; has room for a leaf and the longest character. */
const unescaped = Buffer.alloc(LEAF_TEXT_LIMIT + 4)

/** Escapes of one letter that stand for one byte. */
const SHORT_ESCAPES = new Uint8Array(128)
for (const [letter, text] of Object.entries({
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  '/': '/',
})) {
  SHORT_ESCAPES[letter.charCodeAt(0)] = text.charCodeAt(0)
}

/** Writes the unescaped JSON string `[from, to)` into `unescaped`; returns its length, or more than a leaf may have. */
function writeUnescaped(from: number, to: number): number {
  const { source } = scan
  let length = 0
  for (let at = from; at < to; ) {
    if (length > LEAF_TEXT_LIMIT) return length
    const byte = source[at]!
    if (byte !== BACKSLASH) {
      unescaped[length++] = byte
      at++
    } else if (source[at + 1] !== 117) {
      unescaped[length++] = SHORT_ESCAPES[source[at + 1]! & 127]!
      at += 2
    } else {
      // A surrogate pair is one character, so write it at once.
      const high = unitAt(at)
      const isPair = high >= 0xd800 && high < 0xdc00 && source[at + 6] === BACKSLASH && source[at + 7] === 117
      const text = isPair ? String.fromCharCode(high, unitAt(at + 6)) : String.fromCharCode(high)
      length += unescaped.write(text, length)
      at += isPair ? 12 : 6
    }
  }
  return length
}

function unitAt(at: number): number {
  const { source } = scan
  let unit = 0
  for (let i = at + 2; i < at + 6; i++) {
    const digit = source[i]!
    unit = unit * 16 + (digit < 58 ? digit - 48 : (digit | 32) - 87)
  }
  return unit
}

/** The position after the string whose opening quote is at `at`. */
function stringEnd(at: number): number {
  const { source, to } = scan
  let end = at + 1
  scan.escapes = false
  for (;;) {
    end = plainEnd.find(source, end, to)
    if (source[end] !== BACKSLASH || end >= to) return end + 1
    scan.escapes = true
    end += 2
  }
}

const plainEnd = new PlainEnd()

function skipSpace(from: number): number {
  const { source, to } = scan
  let at = from
  while (at < to && source[at]! <= 32) at++
  return at
}

/** True if the first byte starts a number or null. */
function isNone(first: number): boolean {
  return first < 58 ? first !== QUOTE : first === 110
}

/** The position after the number or word at `at`. */
function tokenEnd(at: number): number {
  const { source, to } = scan
  let end = at
  while (end < to && !isEnd(source[end]!)) end++
  return end
}

function isEnd(byte: number): boolean {
  return byte === 44 || byte === 125 || byte === 93 || byte <= 32
}
