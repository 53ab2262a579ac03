/**
 * AnyValue as JSON text. Lists and key-value lists are walked on the wire; a text of the topmost level that is itself
 * JSON (an object or a list) is taken in as such, since exporters have no other way to send structure. Texts under a
 * credential's key are replaced. Knows nothing of what an attribute means.
 */
import type { StringColumn } from '../../domain/calls/column.js'
import { isCredentialKey, REDACTED } from '../../domain/calls/credential-keys.js'
import { mayHoldCredential, redactInto } from '../../domain/calls/redact.js'
import { viewOf } from '../../platform/bytes/bytes.js'
import { JsonError } from '../../platform/json/error.js'
import { minifyInto } from '../../platform/json/minify.js'
import { Notes, scanText } from '../../platform/json/scan.js'
import { utf8At } from '../../platform/json/text.js'
import { ANY_VALUE, ARRAY, KEY_VALUE, KEY_VALUE_LIST } from '../../proto/otlp/tags.js'
import { BadMessage, BadSpan } from './bad.js'
import { MAX_NESTING } from './limits.js'
import { writeDouble, writeVarint } from './number.js'
import { writeString } from './text.js'
import type { Wire } from './wire.js'

/** The kind of a value without any: null. The other kinds are the wire tags in `ANY_VALUE`. */
export const EMPTY = 0

const QUOTE = 34

/** An AnyValue as found on the wire: its kind, and where its content stands (a number: where it begins). */
export interface Found {
  kind: number
  from: number
  to: number
}

/** Reads the AnyValue message `[pos, end)` into `found`; of several values the last one counts. */
export function readAnyValue(wire: Wire, pos: number, end: number, found: Found): void {
  const { buf } = wire
  found.kind = EMPTY
  found.from = pos
  found.to = pos
  let at = pos
  while (at < end) {
    const tag = wire.tag(at)
    at = wire.pos
    switch (tag) {
      case ANY_VALUE.stringValue:
      case ANY_VALUE.arrayValue:
      case ANY_VALUE.kvlistValue:
      case ANY_VALUE.bytesValue: {
        const length = wire.length(at, end)
        found.from = wire.pos
        at = wire.pos + length
        break
      }
      case ANY_VALUE.boolValue:
      case ANY_VALUE.intValue:
        found.from = at
        at = buf[at]! < 128 ? at + 1 : wire.skipVarint(at)
        break
      case ANY_VALUE.doubleValue:
        found.from = at
        at += 8
        break
      default:
        at = wire.skip(tag, at)
        continue
    }
    found.kind = tag
    found.to = at
  }
  if (at !== end) throw new BadMessage('a value goes beyond its end')
}

const replacement = Buffer.from(`"${REDACTED}"`)

/**
 * Appends the value of an attribute. Returns true if it is a plain text, stored as it came (so that its bytes on the
 * wire are what a reader will see).
 */
export function writeAttribute(
  out: StringColumn,
  wire: Wire,
  kind: number,
  from: number,
  to: number,
  secret: boolean,
  isJson: boolean,
): boolean {
  if (kind !== ANY_VALUE.stringValue) {
    writeValue(out, wire, kind, from, to, secret, 0)
    return false
  }
  if (secret && to > from) {
    out.copy(replacement, 0, replacement.length)
    return false
  }
  const first = wire.buf[from]
  if ((first === 123 || first === 91) && to - from > 1 && writeJson(out, wire, from, to)) return false
  if (isJson && first === QUOTE && writeUnquoted(out, wire.buf.subarray(from, to))) return false
  return writeString(out, wire.view, from, to)
}

/** Appends what a JSON string says, as JSON if it is an object or a list; returns false if `text` is no such string. */
function writeUnquoted(out: StringColumn, text: Buffer): boolean {
  let bytes: Buffer
  try {
    bytes = Buffer.from(String(JSON.parse(text.toString())))
  } catch {
    return false
  }
  const [first] = bytes
  const said = { buf: bytes, view: viewOf(bytes) }
  if ((first === 123 || first === 91) && writeJson(out, said, 0, bytes.length)) return true
  writeString(out, said.view, 0, bytes.length)
  return true
}

/** Appends a value of any kind `depth` levels below an attribute's. */
function writeValue(
  out: StringColumn,
  wire: Wire,
  kind: number,
  from: number,
  to: number,
  secret: boolean,
  depth: number,
): void {
  switch (kind) {
    case ANY_VALUE.stringValue:
      if (secret && to > from) out.copy(replacement, 0, replacement.length)
      else writeString(out, wire.view, from, to)
      break
    case ANY_VALUE.boolValue:
      out.utf8(isTrue(wire.buf, from, to) ? 'true' : 'false')
      break
    case ANY_VALUE.intValue:
      writeVarint(out, wire.buf, from)
      break
    case ANY_VALUE.doubleValue:
      writeDouble(out, wire.buf, from)
      break
    case ANY_VALUE.bytesValue:
      if (secret && to > from) out.copy(replacement, 0, replacement.length)
      else out.utf8(`"${wire.buf.toString('base64', from, to)}"`)
      break
    case ANY_VALUE.arrayValue:
      writeList(out, wire, from, to, depth + 1)
      break
    case ANY_VALUE.kvlistValue:
      writeObject(out, wire, from, to, depth + 1)
      break
    default:
      out.utf8('null')
  }
}

/** True for a varint that is not 0. */
function isTrue(buf: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((buf[at]! & 127) !== 0) return true
  return false
}

function writeList(out: StringColumn, wire: Wire, from: number, end: number, depth: number): void {
  checkDepth(depth)
  const item: Found = { kind: EMPTY, from: 0, to: 0 }
  let separator = 91
  wire.each(from, end, ARRAY.values, 'a list', (at, to) => {
    readAnyValue(wire, at, to, item)
    out.byte(separator)
    separator = 44
    writeValue(out, wire, item.kind, item.from, item.to, false, depth)
  })
  out.utf8(separator === 91 ? '[]' : ']')
}

function writeObject(out: StringColumn, wire: Wire, from: number, end: number, depth: number): void {
  checkDepth(depth)
  const pair = new Pair()
  let separator = 123
  wire.each(from, end, KEY_VALUE_LIST.values, 'a key-value list', (at, to) => {
    pair.read(wire, at, to)
    out.byte(separator)
    separator = 44
    writeString(out, wire.view, pair.keyFrom, pair.keyTo)
    out.byte(58)
    const { kind, from: valueFrom, to: valueTo } = pair.value
    writeValue(out, wire, kind, valueFrom, valueTo, pair.isSecret(wire.buf), depth)
  })
  out.utf8(separator === 123 ? '{}' : '}')
}

/** A KeyValue as found on the wire. */
export class Pair {
  keyFrom = 0
  keyTo = 0
  readonly value: Found = { kind: EMPTY, from: 0, to: 0 }

  /** Reads the message `[from, end)`. */
  read(wire: Wire, from: number, end: number): void {
    this.keyFrom = this.keyTo = 0
    this.value.kind = EMPTY
    let pos = from
    while (pos < end) {
      const tag = wire.tag(pos)
      pos = wire.pos
      if (tag === KEY_VALUE.key) {
        const length = wire.length(pos, end)
        this.keyFrom = wire.pos
        pos = this.keyTo = wire.pos + length
      } else if (tag === KEY_VALUE.value) {
        const length = wire.length(pos, end)
        pos = wire.pos + length
        readAnyValue(wire, wire.pos, pos, this.value)
      } else pos = wire.skip(tag, pos)
    }
    if (pos !== end) throw new BadMessage('a key and its value go beyond their end')
  }

  /** True if the key is a credential's. */
  isSecret(buf: Uint8Array): boolean {
    const { keyFrom, keyTo } = this
    return mayHoldCredential(buf, keyFrom, keyTo, false) && isCredentialKey(utf8At(buf, keyFrom, keyTo))
  }
}

function checkDepth(depth: number): void {
  if (depth > MAX_NESTING)
    throw new BadSpan(`an attribute's value is nested deeper than ${MAX_NESTING} levels`)
}

const notes = new Notes(mayHoldCredential)

/** Appends the text `[from, to)` in its stored form if it is JSON; else appends nothing and returns false. */
function writeJson(
  out: StringColumn,
  { buf, view }: Pick<Wire, 'buf' | 'view'>,
  from: number,
  to: number,
): boolean {
  notes.clear()
  const text = buf.subarray(from, to)
  try {
    scanText(text, notes)
  } catch (error) {
    if (error instanceof JsonError) return false
    throw error
  }
  if (notes.watched) redactInto(out, text, 0, text.length)
  else if (notes.spaces || notes.loneSurrogates) {
    out.reserve(text.length)
    out.pos = minifyInto(text, 0, text.length, out.buf, out.pos)
  } else out.copyView(view, from, to)
  return true
}
