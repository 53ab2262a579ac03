/**
 * Scans JSON text as bytes, strictly (RFC 8259), and builds nothing: callers get offsets and slice. Notes what a
 * normalised copy would have to change. Expects valid UTF-8 (`checkUtf8` first).
 */
import { isUtf8 } from 'node:buffer'
import { JsonError } from './error.js'
import { PlainEnd } from './plain-end.js'

/** The deepest nesting that is accepted. */
export const MAX_DEPTH = 512

/** A piece of a text: `from` is its first byte; `to` is exclusive. */
export interface Slice {
  from: number
  to: number
}

/** Called with every object key: the bytes between its quotes, and whether they contain escapes. */
export type KeyWatch = (buf: Uint8Array, from: number, to: number, escaped: boolean) => boolean

/** What a scan has seen; fields only go from false to true until {@link Notes.clear}. */
export class Notes {
  /** White space outside strings. */
  spaces = false
  /** An escaped surrogate such as `\ud800` without its other half. */
  loneSurrogates = false
  /** A string with an escape; of the last string only, if the reader resets this before it. */
  escapes = false
  /** A key for which `watch` returned true. */
  watched = false

  constructor(readonly watch?: KeyWatch) {}

  clear(): void {
    this.spaces = false
    this.loneSurrogates = false
    this.escapes = false
    this.watched = false
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

const plainEnd = new PlainEnd()

/** Value of a hex digit, else 16. */
const hex = new Uint8Array(256).fill(16)
for (let i = 0; i < 16; i++) {
  hex[i.toString(16).charCodeAt(0)] = i
  hex[i.toString(16).toUpperCase().charCodeAt(0)] = i
}

/** Kind of each open container, innermost last; a scan never runs inside another. */
const open = new Uint8Array(MAX_DEPTH)
const IN_OBJECT = 1
const IN_LIST = 0

/** Throws a {@link JsonError} with the first bad byte unless `buf` is UTF-8. */
export function checkUtf8(buf: Uint8Array): void {
  if (isUtf8(buf)) return
  let at = 0
  while (at < buf.length) {
    const lead = buf[at]!
    const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    if (!isUtf8(buf.subarray(at, at + size))) break
    at += size
  }
  throw new JsonError('the text is not UTF-8', at)
}

/** The first offset from `p` on that is not white space; sets `notes.spaces` if it skipped any. */
export function skipSpace(buf: Uint8Array, p: number, notes: Notes): number {
  const n = buf.length
  if (p < n && buf[p]! > 0x20) return p
  const from = p
  while (p < n) {
    const c = buf[p]!
    if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) break
    p++
  }
  if (p !== from) notes.spaces = true
  return p
}

/** Scans a string whose first byte after the opening quote is at `p`; returns the offset of the closing quote. */
export function scanString(buf: Uint8Array, p: number, notes: Notes): number {
  const n = buf.length
  for (;;) {
    p = plainEnd.find(buf, p, n)
    if (p >= n) throw new JsonError('the text ends inside a string', n)
    const c = buf[p]
    if (c === QUOTE) return p
    if (c !== BACKSLASH) throw new JsonError('a string contains an unescaped control character', p)
    p = scanEscape(buf, p, notes)
  }
}

/** The code unit of the `\uXXXX` at `p`, or -1 if there is none. */
function unitAt(buf: Uint8Array, p: number): number {
  if (p + 6 > buf.length || buf[p] !== BACKSLASH || buf[p + 1] !== 0x75) return -1
  const a = hex[buf[p + 2]!]!
  const b = hex[buf[p + 3]!]!
  const c = hex[buf[p + 4]!]!
  const d = hex[buf[p + 5]!]!
  return (a | b | c | d) & 16 ? -1 : (a << 12) | (b << 8) | (c << 4) | d
}

/** True if the `\uXXXX` at `p` is a surrogate that its other half does not follow. */
export function isLoneAt(buf: Uint8Array, p: number): boolean {
  const unit = unitAt(buf, p)
  if (unit < 0xd800 || unit > 0xdfff) return false
  if (unit >= 0xdc00) return true
  const low = unitAt(buf, p + 6)
  return low < 0xdc00 || low > 0xdfff
}

/** The offset after the escape at `p`; a surrogate pair counts as one escape. */
function scanEscape(buf: Uint8Array, p: number, notes: Notes): number {
  notes.escapes = true
  switch (buf[p + 1]) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return p + 2
    case 0x75: {
      const unit = unitAt(buf, p)
      if (unit < 0) break
      if (unit < 0xd800 || unit > 0xdfff) return p + 6
      if (!isLoneAt(buf, p)) return p + 12
      notes.loneSurrogates = true
      return p + 6
    }
  }
  throw new JsonError('a string contains an invalid escape', p)
}

function digits(buf: Uint8Array, p: number): number {
  const n = buf.length
  const from = p
  while (p < n && buf[p]! >= 0x30 && buf[p]! <= 0x39) p++
  if (p === from) throw new JsonError('a number is incomplete', p)
  return p
}

function scanNumber(buf: Uint8Array, p: number): number {
  if (buf[p] === 0x2d) p++
  if (buf[p] === 0x30) p++
  else p = digits(buf, p)
  if (buf[p] === 0x2e) p = digits(buf, p + 1)
  if (buf[p] === 0x65 || buf[p] === 0x45) {
    const sign = buf[p + 1]
    p = digits(buf, sign === 0x2b || sign === 0x2d ? p + 2 : p + 1)
  }
  return p
}

function scanWord(buf: Uint8Array, p: number): number {
  const c = buf[p]
  if (c === 0x74 && buf[p + 1] === 0x72 && buf[p + 2] === 0x75 && buf[p + 3] === 0x65) return p + 4
  if (c === 0x6e && buf[p + 1] === 0x75 && buf[p + 2] === 0x6c && buf[p + 3] === 0x6c) return p + 4
  if (c === 0x66 && buf[p + 1] === 0x61 && buf[p + 2] === 0x6c && buf[p + 3] === 0x73 && buf[p + 4] === 0x65)
    return p + 5
  if (p >= buf.length) throw new JsonError('the text ends where a value is expected', p)
  throw new JsonError('expected a JSON value', p)
}

/** Scans a key at `p` and its colon; returns the offset of its value. */
function scanKey(buf: Uint8Array, p: number, notes: Notes): number {
  if (buf[p] !== QUOTE) {
    throw new JsonError(
      p < buf.length ? 'expected an object key in double quotes' : 'the text ends inside an object',
      p,
    )
  }
  notes.escapes = false
  const close = scanString(buf, p + 1, notes)
  if (notes.watch?.(buf, p + 1, close, notes.escapes)) notes.watched = true
  return scanColon(buf, close + 1, notes)
}

/** Skips the colon at or after `p`; returns the offset of the value after it. */
export function scanColon(buf: Uint8Array, p: number, notes: Notes): number {
  p = skipSpace(buf, p, notes)
  if (buf[p] !== COLON) throw new JsonError('expected a colon after an object key', p)
  return skipSpace(buf, p + 1, notes)
}

/**
 * Scans the value that starts at `p` (not white space) and returns the offset after it.
 * @param base containers that are already open around it, counted into {@link MAX_DEPTH}
 */
export function scanValue(buf: Uint8Array, p: number, notes: Notes, base = 0): number {
  const room = MAX_DEPTH - base
  let depth = 0
  value: for (;;) {
    const c = p < buf.length ? buf[p]! : 0
    if (c === QUOTE) {
      p = scanString(buf, p + 1, notes) + 1
    } else if (c === OPEN_OBJECT || c === OPEN_LIST) {
      if (depth >= room) throw new JsonError(`the text is nested deeper than ${MAX_DEPTH} levels`, p)
      p = skipSpace(buf, p + 1, notes)
      if (buf[p] === c + 2) {
        p++
      } else {
        open[depth++] = c === OPEN_OBJECT ? IN_OBJECT : IN_LIST
        if (c === OPEN_OBJECT) p = scanKey(buf, p, notes)
        continue
      }
    } else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) {
      p = scanNumber(buf, p)
    } else {
      p = scanWord(buf, p)
    }
    for (;;) {
      if (depth === 0) return p
      p = skipSpace(buf, p, notes)
      const next = p < buf.length ? buf[p]! : 0
      if (open[depth - 1] === IN_OBJECT) {
        if (next === COMMA) {
          p = scanKey(buf, skipSpace(buf, p + 1, notes), notes)
          continue value
        }
        if (next !== CLOSE_OBJECT) throw new JsonError('expected a comma or } after an object value', p)
      } else {
        if (next === COMMA) {
          p = skipSpace(buf, p + 1, notes)
          continue value
        }
        if (next !== CLOSE_LIST) throw new JsonError('expected a comma or ] after a list value', p)
      }
      p++
      depth--
    }
  }
}

/** Checks that `buf` is exactly one JSON text in UTF-8; returns the slice of its value. */
export function scanText(buf: Uint8Array, notes: Notes): Slice {
  checkUtf8(buf)
  const from = skipSpace(buf, 0, notes)
  const to = scanValue(buf, from, notes)
  const end = skipSpace(buf, to, notes)
  if (end !== buf.length) throw new JsonError('there is more text after the JSON value', end)
  return { from, to }
}
