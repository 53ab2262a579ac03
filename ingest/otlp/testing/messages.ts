/** OTLP messages by protobufjs's own reflection over `trace.proto`: what the walk of the wire is held against. */
import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'

const source = readFileSync(new URL('../../../proto/otlp/trace.proto', import.meta.url), 'utf8')

/** The types of `trace.proto`. */
export const root = protobuf.parse(source, { keepCase: false }).root.resolveAll()

/** The type of a whole request. */
const Export = root.lookupType('heddle.otlp.v1.ExportTraceServiceRequest')

/** The same types with fields nobody knows, one of each wire type, in every message. */
export const strangeRoot = protobuf
  .parse(
    source.replaceAll(
      /^(message \w+ \{)$/gm,
      `$1
  uint64 strange_varint = 1000;
  fixed64 strange_fixed64 = 1001;
  string strange_text = 1002;
  fixed32 strange_fixed32 = 1003;
  repeated uint32 strange_packed = 1004;
  repeated uint32 strange_unpacked = 1005 [packed = false];`,
    ),
  )
  .root.resolveAll()

/** A value of `AnyValue` as plain data. */
export type AnyValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: AnyValue[] } }
  | { kvlistValue: { values: KeyValue[] } }
  | { bytesValue: Uint8Array }
  | Record<string, never>

export interface KeyValue {
  key: string
  value?: AnyValue
}

export interface SpanMessage {
  traceId?: Uint8Array
  spanId?: Uint8Array
  parentSpanId?: Uint8Array
  traceState?: string
  name?: string
  kind?: number
  startTimeUnixNano?: string
  endTimeUnixNano?: string
  attributes?: KeyValue[]
  droppedAttributesCount?: number
  droppedEventsCount?: number
  droppedLinksCount?: number
  events?: {
    timeUnixNano?: string
    name?: string
    attributes?: KeyValue[]
    droppedAttributesCount?: number
  }[]
  links?: {
    traceId?: Uint8Array
    spanId?: Uint8Array
    traceState?: string
    attributes?: KeyValue[]
    droppedAttributesCount?: number
    flags?: number
  }[]
  status?: { code?: number; message?: string }
  flags?: number
}

export interface ExportMessage {
  resourceSpans: {
    resource?: { attributes?: KeyValue[]; droppedAttributesCount?: number }
    scopeSpans: {
      scope?: { name?: string; version?: string; attributes?: KeyValue[]; droppedAttributesCount?: number }
      spans: SpanMessage[]
    }[]
  }[]
}

/** The bytes of a request. */
export function encodeExport(message: ExportMessage, type: protobuf.Type = Export): Buffer {
  return Buffer.from(type.encode(type.fromObject(message)).finish())
}

export interface LogMessage {
  traceId?: Uint8Array
  spanId?: Uint8Array
  timeUnixNano?: string
  observedTimeUnixNano?: string
  severityText?: string
  eventName?: string
  body?: AnyValue
  attributes?: KeyValue[]
}

/** A log record with a name, of the span of {@link spanWith}. */
export function recordOf(
  eventName: string,
  attributes: Record<string, unknown>,
  more: LogMessage = {},
): LogMessage {
  return {
    ...{ traceId: TRACE_ID, spanId: SPAN_ID, timeUnixNano: '1767225600000002000', eventName },
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
    ...more,
  }
}

/** The bytes of a request with one block of `logRecords`. */
export function encodeLogs(...logRecords: LogMessage[]): Buffer {
  const type = root.lookupType('heddle.otlp.v1.ExportLogsServiceRequest')
  return Buffer.from(
    type.encode(type.fromObject({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })).finish(),
  )
}

/** A request as protobufjs's plain decode has it: 64-bit integers as texts, defaults left out. @throws if it is none */
export function decodeExport(bytes: Uint8Array): ExportMessage {
  const plain = Export.toObject(Export.decode(bytes), { longs: String, arrays: true })
  return plain as ExportMessage
}

/** An attribute of a JavaScript value: whole numbers as int, others as double. */
export function attribute(key: string, value: unknown): KeyValue {
  return { key, value: anyValue(value) }
}

export function anyValue(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'bigint') return { intValue: String(value) }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (value instanceof Uint8Array) return { bytesValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  if (value === null || value === undefined) return {}
  return { kvlistValue: { values: Object.entries(value).map(([key, inside]) => attribute(key, inside)) } }
}

export const TRACE_ID = Buffer.from('0af7651916cd43dd8448eb211c80319c', 'hex')
export const SPAN_ID = Buffer.from('b7ad6b7169203331', 'hex')

/** A span that can be stored, with `attributes` and whatever else is given. */
export function spanWith(attributes: Record<string, unknown>, more: SpanMessage = {}): SpanMessage {
  return {
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    name: 'chat',
    startTimeUnixNano: '1767225600000001000',
    endTimeUnixNano: '1767225601500000999',
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
    ...more,
  }
}

/** A request with one block of `spans`. */
export function exportOf(...spans: SpanMessage[]): ExportMessage {
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] }
}
