/**
 * AnyValue as JSON text. A text of the topmost level that is itself JSON (an object or a list) is taken in as such, since
 * exporters have no other way to send structure. Texts under a credential's key are replaced.
 */
import { isCredentialKey, REDACTED } from '../../domain/calls/credential-keys.js'
import { mayHoldCredential, redactInto } from '../../domain/calls/redact.js'
import { Bytes } from '../../platform/bytes/bytes.js'
import { JsonError } from '../../platform/json/error.js'
import { Notes, scanText } from '../../platform/json/scan.js'
import { utf8At } from '../../platform/json/text.js'
import { ANY_VALUE, ARRAY, KEY_VALUE, KEY_VALUE_LIST } from '../../proto/otlp/tags.js'
import { BadMessage, BadSpan } from './bad.js'
import { MAX_NESTING } from './limits.js'
import type { Wire } from './wire.js'

/** The kind of a value without any: null. The other kinds are the wire tags in `ANY_VALUE`. */
export const EMPTY = 0

/** An AnyValue on the wire: its kind, and where its content stands. */
export interface Value {
  readonly kind: number
  readonly from: number
  readonly to: number
}

export const NO_VALUE: Value = { kind: EMPTY, from: 0, to: 0 }

/** A KeyValue on the wire: where its key stands, and its value. */
export interface Pair {
  readonly keyFrom: number
  readonly keyTo: number
  readonly value: Value
}

/** Wire types. */
const VARINT = 0
const FIXED64 = 1
const LENGTH_DELIMITED = 2

/** Bytes of a number of 64 bits. */
const MAX_VARINT = 10
/** Bytes of one that a double holds, and that isn't negative. */
const SHORT_VARINT = 7
const KINDS = new Set<number>(Object.values(ANY_VALUE))

/** Reads the AnyValue message `[from, end)`; of several values the last one counts. @throws BadMessage */
export function readAnyValue(wire: Wire, from: number, end: number): Value {
  const { buf } = wire
  const first = buf[from]!
  const at = (first & 7) === LENGTH_DELIMITED ? from + 2 : from + 1
  const size = (first & 7) === FIXED64 ? 8 : at > from + 1 ? buf[from + 1]! : 1
  // The form that nearly all have: one field, its length or number a single byte.
  if (at + size === end && ((first & 7) === FIXED64 || buf[from + 1]! < 128) && KINDS.has(first))
    return { kind: first, from: at, to: end }
  let value = NO_VALUE
  wire.fields(from, end, 'a value', (kind, begin, to) => {
    if ((kind & 7) === VARINT && to - begin > MAX_VARINT)
      throw new BadMessage('a number is longer than ten bytes')
    if (KINDS.has(kind)) value = { kind, from: begin, to }
  })
  return value
}

/** Reads the KeyValue message `[from, end)`. @throws BadMessage */
export function readPair(wire: Wire, from: number, end: number): Pair {
  const { buf } = wire
  let keyFrom = from + 2
  let keyTo = keyFrom + buf[from + 1]!
  const valueFrom = keyTo + 2
  // Likewise: a key and a value, both short.
  if (buf[from] === KEY_VALUE.key && buf[from + 1]! < 128 && valueFrom <= end)
    if (buf[keyTo] === KEY_VALUE.value && buf[keyTo + 1]! < 128 && valueFrom + buf[keyTo + 1]! === end)
      return { keyFrom, keyTo, value: readAnyValue(wire, valueFrom, end) }
  keyFrom = keyTo = from
  let value = NO_VALUE
  wire.fields(from, end, 'a key with its value', (tag, at, to) => {
    if (tag === KEY_VALUE.key) {
      keyFrom = at
      keyTo = to
    } else if (tag === KEY_VALUE.value) value = readAnyValue(wire, at, to)
  })
  return { keyFrom, keyTo, value }
}

/**
 * The value of an attribute as JSON.
 * @param secret its key is a credential's
 * @param isJson its texts are JSON even where that is a string
 * @throws BadSpan if it is nested too deep
 */
export function attributeJson(wire: Wire, value: Value, secret: boolean, isJson: boolean): string {
  const { kind, from, to } = value
  if (kind !== ANY_VALUE.stringValue || secret) return valueJson(wire, value, secret, 0)
  const text = wire.buf.subarray(from, to)
  return storedJson(text) ?? (isJson ? unquoted(text) : undefined) ?? stringJson(text)
}

/** A value of any kind, `depth` levels below an attribute's. */
function valueJson(wire: Wire, { kind, from, to }: Value, secret: boolean, depth: number): string {
  const { buf } = wire
  const isText = kind === ANY_VALUE.stringValue || kind === ANY_VALUE.bytesValue
  if (secret && isText && to > from) return `"${REDACTED}"`
  switch (kind) {
    case ANY_VALUE.stringValue:
      return JSON.stringify(utf8At(buf, from, to))
    case ANY_VALUE.boolValue:
      return buf.subarray(from, to).some((byte) => (byte & 127) !== 0) ? 'true' : 'false'
    case ANY_VALUE.intValue:
      return integerJson(buf, from, to)
    case ANY_VALUE.doubleValue:
      return doubleJson(buf.readDoubleLE(from))
    case ANY_VALUE.bytesValue:
      return `"${buf.toString('base64', from, to)}"`
    case ANY_VALUE.arrayValue:
      return listJson(wire, from, to, depth + 1)
    case ANY_VALUE.kvlistValue:
      return objectJson(wire, from, to, depth + 1)
  }
  return 'null'
}

/** Text as a JSON string; each piece that is not UTF-8 becomes U+FFFD. */
export function stringJson(text: Buffer): string {
  return JSON.stringify(text.toString())
}

/** The varint `[from, to)`, a signed integer of 64 bits, digit for digit. */
function integerJson(buf: Buffer, from: number, to: number): string {
  if (to - from <= SHORT_VARINT) {
    let short = 0
    for (let at = to - 1; at >= from; at--) short = short * 128 + (buf[at]! & 127)
    return String(short)
  }
  let value = 0n
  for (let at = to - 1; at >= from; at--) value = (value << 7n) | BigInt(buf[at]! & 127)
  return BigInt.asIntN(64, value).toString()
}

/**
 * A double so that it reads back as a double: a whole one keeps a `.0`, and what JSON has no number for becomes the string
 * that protobuf's JSON has for it.
 */
function doubleJson(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text
}

function listJson(wire: Wire, from: number, end: number, depth: number): string {
  checkDepth(depth)
  let json = ''
  wire.each(from, end, ARRAY.values, 'a list', (at, to) => {
    json += (json === '' ? '[' : ',') + valueJson(wire, readAnyValue(wire, at, to), false, depth)
  })
  return json === '' ? '[]' : `${json}]`
}

function objectJson(wire: Wire, from: number, end: number, depth: number): string {
  checkDepth(depth)
  let json = ''
  wire.each(from, end, KEY_VALUE_LIST.values, 'a key-value list', (at, to) => {
    const { keyFrom, keyTo, value } = readPair(wire, at, to)
    const key = utf8At(wire.buf, keyFrom, keyTo)
    const isSecret = mayHoldCredential(wire.buf, keyFrom, keyTo, false) && isCredentialKey(key)
    json += `${json === '' ? '{' : ','}${JSON.stringify(key)}:${valueJson(wire, value, isSecret, depth)}`
  })
  return json === '' ? '{}' : `${json}}`
}

function checkDepth(depth: number): void {
  if (depth > MAX_NESTING)
    throw new BadSpan(`an attribute's value is nested deeper than ${MAX_NESTING} levels`)
}

const notes = new Notes(mayHoldCredential)

/** The stored form of a text that is a JSON object or list; undefined if it is none. */
function storedJson(text: Buffer): string | undefined {
  if (text[0] !== 123 && text[0] !== 91) return undefined
  notes.clear()
  try {
    scanText(text, notes)
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
  if (!notes.watched && !notes.spaces && !notes.loneSurrogates) return text.toString()
  const out = new Bytes(text.length)
  redactInto(out, text, 0, text.length)
  return out.buf.toString('utf8', 0, out.pos)
}

/** What a text says that is a JSON string, in turn as JSON if it is an object or a list; undefined if it is none. */
function unquoted(text: Buffer): string | undefined {
  if (text[0] !== 34) return undefined
  let said: unknown
  try {
    said = JSON.parse(text.toString())
  } catch {
    return undefined
  }
  const bytes = Buffer.from(String(said))
  return storedJson(bytes) ?? stringJson(bytes)
}
