/** A span of another product as an OTLP span: what its attributes mean is said by the table of conventions. Pure. */
import { createHash } from 'node:crypto'
import { microsOf } from '../../platform/time/micros.js'

/** Attributes by their names; null and undefined are left out. */
export type Attributes = Record<string, unknown>

const STATUS = { UNSET: 0, OK: 1, ERROR: 2 }

export interface ForeignSpan {
  traceId: string
  id: string
  /** undefined: the root of its trace */
  parentId: string | undefined
  name: string
  /** ISO 8601 */
  start: string
  /** undefined: as `start`; null: it has not ended */
  end: string | undefined | null
  attributes: Attributes
  events?: readonly { name: string; time: string; attributes: Attributes }[]
  status: keyof typeof STATUS
  message?: string
}

/** The span in OTLP's JSON, as text. */
export function spanText(span: ForeignSpan): string {
  const { traceId, id, parentId, events = [] } = span
  const otlp = {
    traceId: traceIdOf(traceId),
    spanId: spanIdOf(id),
    ...(parentId !== undefined && { parentSpanId: spanIdOf(parentId) }),
    name: span.name,
    kind: 1,
    startTimeUnixNano: nanosOf(span.start),
    ...(span.end !== null && { endTimeUnixNano: nanosOf(span.end ?? span.start) }),
    attributes: attributesOf({ ...ownIds(span), ...turn(span), ...span.attributes }),
    events: events.map(({ name, time, attributes }) => ({
      ...{ name, timeUnixNano: nanosOf(time), attributes: attributesOf(attributes) },
    })),
    status: { code: STATUS[span.status], ...(span.message && { message: span.message }) },
  }
  return JSON.stringify(otlp)
}

/** Ids that OTLP has no place for are the call's by attributes, as our own SDKs' are. */
function ownIds({ traceId, id, parentId }: ForeignSpan): Attributes {
  if (isHex(traceId, 32) && isHex(id, 16) && (parentId === undefined || isHex(parentId, 16))) return {}
  return { 'platform.trace_id': traceId, 'platform.call_id': id, 'platform.parent_id': parentId }
}

/** A trace may come in several requests, where no one sees that a span is only a part of its root's turn. */
function turn({ parentId }: ForeignSpan): Attributes {
  return parentId === undefined ? {} : { 'platform.is_turn': false }
}

function traceIdOf(id: string): string {
  return isHex(id, 32) ? id : hashed(id).slice(0, 32)
}

/** The id that a span has in OTLP. */
export function spanIdOf(id: string): string {
  return isHex(id, 16) ? id : hashed(id).slice(0, 16)
}

function isHex(id: string, length: number): boolean {
  return id.length === length && /^[\da-f]+$/.test(id) && !/^0+$/.test(id)
}

function hashed(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}

function nanosOf(time: string): string {
  const micros = microsOf(time)
  return Number.isNaN(micros) ? '0' : `${BigInt(micros) * 1000n}`
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : { key, value: anyValue(value) },
  )
}

function anyValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  if (value === null || value === undefined) return {}
  return { kvlistValue: { values: attributesOf(value as Attributes) } }
}
