/**
 * OTLP's JSON to its protobuf: the rare way in, so it takes the long way round and every rule holds once, in the reader
 * of the protobuf. Field names in camelCase (and as in the .proto), ids as hex, bytes as base64, 64-bit integers as
 * numbers or texts, enums as numbers or names. Unknown fields are skipped; a known one of the wrong type is an error.
 */
import protobuf from 'protobufjs/minimal.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { JsonError } from '../../platform/json/error.js'
import { JsonNumber, type JsonTree, parseTree } from '../../platform/json/tree.js'
import {
  ANY_VALUE,
  ARRAY,
  EVENT,
  KEY_VALUE,
  KEY_VALUE_LIST,
  LINK,
  LOG_RECORD,
  REQUEST,
  RESOURCE,
  RESOURCE_SPANS,
  SCOPE,
  SCOPE_SPANS,
  SPAN,
  STATUS,
} from '../../proto/otlp/tags.js'
import { BadMessage } from './bad.js'
import { SIGNALS, type Signal } from './signal.js'

type Writer = protobuf.Writer
/** Writes the value of a field behind its tag (and the tag itself where a field has 0). */
type Write = (writer: Writer, value: JsonTree, name: string) => void
interface Field {
  readonly tag: number
  readonly write: Write
  readonly repeated?: boolean
}
type Message = Readonly<Record<string, Field>>

/** What a JSON body is in protobuf, without the spans or records that can't be: `rejected` says why, a message each. */
export interface Converted {
  readonly body: Buffer
  readonly rejected: readonly string[]
}

/** Converts the OTLP JSON `body`. @throws BadMessage that names the field if what holds the spans is wrong */
export function jsonToProtobuf(body: Uint8Array, signal: Signal = 'traces'): Converted {
  let tree: JsonTree
  try {
    tree = parseTree(body)
  } catch (error) {
    if (error instanceof JsonError) throw new BadMessage(error.message)
    throw error
  }
  const writer = protobuf.Writer.create()
  const rejected: string[] = []
  write(writer, requestOf(signal, rejected), tree, 'the body')
  return { body: bufferOf(writer.finish()), rejected }
}

function write(writer: Writer, message: Message, value: JsonTree, name: string): void {
  if (!(value instanceof Map)) throw wrong(name, 'an object')
  for (const [key, inside] of value) {
    const field = fieldOf(message, key)
    if (field === undefined || inside === null) continue
    if (!field.repeated) put(writer, field, inside, key)
    else if (Array.isArray(inside)) for (const item of inside) put(writer, field, item, key)
    else throw wrong(key, 'a list')
  }
}

/** `start_time_unix_nano` is as good as `startTimeUnixNano`. */
function fieldOf(message: Message, key: string): Field | undefined {
  const name = key.includes('_') ? key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : key
  return Object.hasOwn(message, name) ? message[name] : undefined
}

function put(writer: Writer, field: Field, value: JsonTree, name: string): void {
  if (field.tag !== 0) writer.uint32(field.tag)
  field.write(writer, value, name)
}

function wrong(name: string, wanted: string): BadMessage {
  return new BadMessage(`${name.slice(0, 60)} must be ${wanted}`)
}

const nested =
  (message: () => Message): Write =>
  (writer, value, name) => {
    writer.fork()
    write(writer, message(), value, name)
    writer.ldelim()
  }

const string: Write = (writer, value, name) => {
  if (typeof value !== 'string') throw wrong(name, 'a text')
  writer.string(value)
}

const hex: Write = (writer, value, name) => {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !/^[\da-f]*$/i.test(value))
    throw wrong(name, 'hex')
  writer.bytes(Buffer.from(value, 'hex'))
}

const base64: Write = (writer, value, name) => {
  if (typeof value !== 'string' || !/^[\w+/-]*={0,2}$/.test(value)) throw wrong(name, 'base64')
  writer.bytes(Buffer.from(value, 'base64'))
}

const bool: Write = (writer, value, name) => {
  if (typeof value !== 'boolean') throw wrong(name, 'true or false')
  writer.bool(value)
}

const double: Write = (writer, value, name) => {
  const text = value instanceof JsonNumber ? value.text : value
  if (text === 'NaN') writer.double(Number.NaN)
  else if (text === 'Infinity') writer.double(Number.POSITIVE_INFINITY)
  else if (text === '-Infinity') writer.double(Number.NEGATIVE_INFINITY)
  else {
    const number = typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN
    if (!Number.isFinite(number)) throw wrong(name, 'a number')
    writer.double(number)
  }
}

/** A whole number, in a number or a text. */
function integer(value: JsonTree, name: string, least: bigint, most: bigint): bigint {
  const text = value instanceof JsonNumber ? value.text : value
  let number: bigint | undefined
  if (typeof text === 'string' && /^-?\d{1,20}$/.test(text)) number = BigInt(text)
  else if (typeof text === 'string' && text !== '' && Number.isSafeInteger(Number(text)))
    number = BigInt(Number(text))
  if (number === undefined || number < least || number > most)
    throw wrong(name, 'a whole number in its range')
  return number
}

const int64: Write = (writer, value, name) => {
  writer.int64(integer(value, name, -(2n ** 63n), 2n ** 63n - 1n).toString())
}

const fixed64: Write = (writer, value, name) => {
  writer.fixed64(integer(value, name, 0n, 2n ** 64n - 1n).toString())
}

const uint32: Write = (writer, value, name) => {
  writer.uint32(Number(integer(value, name, 0n, 2n ** 32n - 1n)))
}

const fixed32: Write = (writer, value, name) => {
  writer.fixed32(Number(integer(value, name, 0n, 2n ** 32n - 1n)))
}

const enumeration =
  (prefix: string, names: readonly string[]): Write =>
  (writer, value, name) => {
    const index = typeof value === 'string' ? names.indexOf(value.replace(prefix, '')) : -1
    if (index >= 0) writer.int32(index)
    else writer.int32(Number(integer(value, name, 0n, 2n ** 31n - 1n)))
  }

const keyValue: Message = {
  key: { tag: KEY_VALUE.key, write: string },
  value: { tag: KEY_VALUE.value, write: nested(() => anyValue) },
}
const anyValue: Message = {
  stringValue: { tag: ANY_VALUE.stringValue, write: string },
  boolValue: { tag: ANY_VALUE.boolValue, write: bool },
  intValue: { tag: ANY_VALUE.intValue, write: int64 },
  doubleValue: { tag: ANY_VALUE.doubleValue, write: double },
  arrayValue: {
    tag: ANY_VALUE.arrayValue,
    write: nested(() => ({ values: { tag: ARRAY.values, write: nested(() => anyValue), repeated: true } })),
  },
  kvlistValue: {
    tag: ANY_VALUE.kvlistValue,
    write: nested(() => ({
      values: { tag: KEY_VALUE_LIST.values, write: nested(() => keyValue), repeated: true },
    })),
  },
  bytesValue: { tag: ANY_VALUE.bytesValue, write: base64 },
}
const pairs = (tag: number): Field => ({ tag, write: nested(() => keyValue), repeated: true })

const event: Message = {
  timeUnixNano: { tag: EVENT.timeUnixNano, write: fixed64 },
  name: { tag: EVENT.name, write: string },
  attributes: pairs(EVENT.attributes),
  droppedAttributesCount: { tag: EVENT.droppedAttributesCount, write: uint32 },
}
const link: Message = {
  traceId: { tag: LINK.traceId, write: hex },
  spanId: { tag: LINK.spanId, write: hex },
  traceState: { tag: LINK.traceState, write: string },
  attributes: pairs(LINK.attributes),
  droppedAttributesCount: { tag: LINK.droppedAttributesCount, write: uint32 },
  flags: { tag: LINK.flags, write: fixed32 },
}
const status: Message = {
  message: { tag: STATUS.message, write: string },
  code: { tag: STATUS.code, write: enumeration('STATUS_CODE_', ['UNSET', 'OK', 'ERROR']) },
}
const kinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const span: Message = {
  traceId: { tag: SPAN.traceId, write: hex },
  spanId: { tag: SPAN.spanId, write: hex },
  traceState: { tag: SPAN.traceState, write: string },
  parentSpanId: { tag: SPAN.parentSpanId, write: hex },
  name: { tag: SPAN.name, write: string },
  kind: { tag: SPAN.kind, write: enumeration('SPAN_KIND_', kinds) },
  startTimeUnixNano: { tag: SPAN.startTimeUnixNano, write: fixed64 },
  endTimeUnixNano: { tag: SPAN.endTimeUnixNano, write: fixed64 },
  attributes: pairs(SPAN.attributes),
  droppedAttributesCount: { tag: SPAN.droppedAttributesCount, write: uint32 },
  events: { tag: SPAN.events, write: nested(() => event), repeated: true },
  droppedEventsCount: { tag: SPAN.droppedEventsCount, write: uint32 },
  links: { tag: SPAN.links, write: nested(() => link), repeated: true },
  droppedLinksCount: { tag: SPAN.droppedLinksCount, write: uint32 },
  status: { tag: SPAN.status, write: nested(() => status) },
  flags: { tag: SPAN.flags, write: fixed32 },
}
const scope: Message = {
  name: { tag: SCOPE.name, write: string },
  version: { tag: SCOPE.version, write: string },
  attributes: pairs(SCOPE.attributes),
  droppedAttributesCount: { tag: SCOPE.droppedAttributesCount, write: uint32 },
}
const resource: Message = {
  attributes: pairs(RESOURCE.attributes),
  droppedAttributesCount: { tag: RESOURCE.droppedAttributesCount, write: uint32 },
}

const logRecord: Message = {
  timeUnixNano: { tag: LOG_RECORD.timeUnixNano, write: fixed64 },
  observedTimeUnixNano: { tag: LOG_RECORD.observedTimeUnixNano, write: fixed64 },
  severityNumber: { tag: LOG_RECORD.severityNumber, write: uint32 },
  severityText: { tag: LOG_RECORD.severityText, write: string },
  body: { tag: LOG_RECORD.body, write: nested(() => anyValue) },
  attributes: pairs(LOG_RECORD.attributes),
  traceId: { tag: LOG_RECORD.traceId, write: hex },
  spanId: { tag: LOG_RECORD.spanId, write: hex },
  eventName: { tag: LOG_RECORD.eventName, write: string },
}

const ITEMS: Readonly<Record<Signal, Message>> = { traces: span, logs: logRecord }

/** A request whose spans, or records, are each converted alone: why one could not be goes to `rejected`. */
function requestOf(signal: Signal, rejected: string[]): Message {
  const { resources, scopes, items, one } = SIGNALS[signal]
  const writeItem: Write = (writer, value, name) => {
    const alone = protobuf.Writer.create()
    try {
      write(alone, ITEMS[signal], value, name)
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error
      rejected.push(`${nameOf(one, value)}: ${error.message}`)
      return
    }
    writer.uint32(SCOPE_SPANS.spans).bytes(bufferOf(alone.finish()))
  }
  const scopeMessage: Message = {
    scope: { tag: SCOPE_SPANS.scope, write: nested(() => scope) },
    [items]: { tag: 0, write: writeItem, repeated: true },
  }
  const resourceMessage: Message = {
    resource: { tag: RESOURCE_SPANS.resource, write: nested(() => resource) },
    [scopes]: { tag: RESOURCE_SPANS.scopeSpans, write: nested(() => scopeMessage), repeated: true },
  }
  return { [resources]: { tag: REQUEST.resourceSpans, write: nested(() => resourceMessage), repeated: true } }
}

function nameOf(one: string, value: JsonTree): string {
  const id = value instanceof Map ? (value.get('spanId') ?? value.get('span_id')) : undefined
  return typeof id === 'string' ? `${one} ${id.slice(0, 32)}` : one
}
