/**
 * How the spans of a request should read back, said over protobufjs's own decode and with `JSON.parse`: the part that the
 * walker and the plain writer have in common (the wire, values, nesting) is held against it.
 */

import { isCredentialKey } from '../../../domain/calls/credential-keys.js'
import { JSON_TEXTS } from '../../../domain/conventions/table.js'
import type { AnyValue, ExportMessage, KeyValue, SpanMessage } from './messages.js'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

class Rejected extends Error {}

/** The spans of `message` in order, as they should read back; undefined for one that is nested too deep. */
export function expectedSpans(message: ExportMessage): (JsonObject | undefined)[] {
  return message.resourceSpans.flatMap((block) => {
    const resource = block.resource
      ? compact({
          attributes: resourceAttributes(block.resource.attributes ?? []),
          dropped_attributes_count: block.resource.droppedAttributesCount || undefined,
        })
      : null
    return block.scopeSpans.flatMap(({ scope, spans }) => {
      const { attributes = [], droppedAttributesCount: dropped = 0 } = scope ?? {}
      const more = attributes.length + dropped > 0 ? { attributes: resourceAttributes(attributes) } : {}
      const scopeJson = scope
        ? compact({
            ...{ name: scope.name ?? '', version: scope.version ?? '', ...more },
            dropped_attributes_count: dropped || undefined,
          })
        : null
      return spans.map((span) => spanOf(span, scopeJson, resource))
    })
  })
}

function spanOf(span: SpanMessage, scope: Json, resource: Json): JsonObject | undefined {
  try {
    return plainSpan(span, scope, resource)
  } catch (error) {
    if (error instanceof Rejected) return undefined
    throw error
  }
}

function plainSpan(span: SpanMessage, scope: Json, resource: Json): JsonObject {
  const parent = Buffer.from(span.parentSpanId ?? [])
  const events = (span.events ?? []).map((event) =>
    compact({
      name: event.name ?? '',
      timestamp: isoOf(event.timeUnixNano),
      attributes: nested(event.attributes ?? []),
      dropped_attributes_count: event.droppedAttributesCount || undefined,
    }),
  )
  const links = (span.links ?? []).map((link) =>
    compact({
      trace_id: hexOf(link.traceId),
      span_id: hexOf(link.spanId),
      trace_state: link.traceState ?? '',
      attributes: nested(link.attributes ?? []),
      dropped_attributes_count: link.droppedAttributesCount || undefined,
      flags: link.flags || undefined,
    }),
  )
  return compact({
    name: span.name ?? '',
    context: {
      trace_id: hexOf(span.traceId),
      span_id: hexOf(span.spanId),
      trace_state: span.traceState ?? '',
    },
    kind:
      ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'][span.kind ?? 0] ??
      'UNSPECIFIED',
    parent_id: parent.every((byte) => byte === 0) ? null : hexOf(parent),
    start_time: isoOf(span.startTimeUnixNano),
    end_time: isoOf(span.endTimeUnixNano),
    status: {
      code: ['UNSET', 'OK', 'ERROR'][span.status?.code ?? 0] ?? 'UNSET',
      message: span.status?.message ?? '',
    },
    attributes: nested(span.attributes ?? []),
    events,
    links,
    dropped_attributes_count: span.droppedAttributesCount || undefined,
    dropped_events_count: span.droppedEventsCount || undefined,
    dropped_links_count: span.droppedLinksCount || undefined,
    flags: span.flags || undefined,
    scope,
    resource,
  })
}

const hexOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex')

function compact(object: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}

function isoOf(nanos: string | undefined): Json {
  if (nanos === undefined) return null
  const seconds = BigInt(nanos) / 1_000_000_000n
  const fraction = String(BigInt(nanos) % 1_000_000_000n).padStart(9, '0')
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${fraction}Z`
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function resourceAttributes(pairs: KeyValue[]): JsonObject {
  try {
    return nested(pairs)
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
    const flat: JsonObject = {}
    for (const { key = '', value } of pairs) set(flat, key, topValue(key, value))
    return flat
  }
}

function nested(pairs: KeyValue[]): JsonObject {
  interface Node {
    value?: Json
    children: Map<string, Node>
  }
  const keys = new Set(pairs.map(({ key = '' }) => key))
  const root: Node = { children: new Map() }
  for (const { key = '', value } of pairs) {
    const parts = key.split('.')
    if (parts.length > 64) throw new Rejected()
    const isBelow = parts.some((_, i) => i > 0 && keys.has(parts.slice(0, i).join('.')))
    let node = root
    for (const part of isBelow ? [key] : parts) {
      if (!node.children.has(part)) node.children.set(part, { children: new Map() })
      node = node.children.get(part)!
    }
    node.value = topValue(key, value)
  }
  const json = (node: Node, isRoot = false): Json => {
    if (node.value !== undefined) return node.value
    const keys = [...node.children.keys()]
    const indexes = keys.every((key) => /^(0|[1-9]\d{0,5})$/.test(key) && Number(key) < keys.length)
    if (!isRoot && indexes) return keys.map((_, i) => json(node.children.get(String(i))!))
    const object: JsonObject = {}
    for (const [key, child] of node.children) set(object, key, json(child))
    return object
  }
  return json(root, true) as JsonObject
}

function set(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}

/** The value of an attribute: a text that is a JSON object or list stands for what it says. */
function topValue(key: string, value: AnyValue | undefined): Json {
  const secret = isCredentialKey(key.slice(key.lastIndexOf('.') + 1))
  if (value && 'stringValue' in value && typeof value.stringValue === 'string' && !secret) {
    const said = parsed(
      value.stringValue,
      JSON_TEXTS.some((begin) => key.startsWith(begin)) ? /^[[{"]/ : /^[[{]/,
    )
    return redacted(typeof said === 'string' && said !== value.stringValue ? parsed(said, /^[[{]/) : said)
  }
  return jsonOf(value, secret, 0)
}

function parsed(text: string, opening: RegExp): Json {
  if (!opening.test(text)) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function jsonOf(value: AnyValue | undefined, secret: boolean, depth: number): Json {
  if (depth > 64) throw new Rejected()
  const hide = (text: string) => (secret && text !== '' ? 'REDACTED' : text)
  if (value === undefined) return null
  if ('stringValue' in value) return hide(value.stringValue as string)
  if ('bytesValue' in value) return hide(Buffer.from(value.bytesValue as Uint8Array).toString('base64'))
  if ('boolValue' in value) return value.boolValue as boolean
  if ('intValue' in value) return Number(value.intValue)
  if ('doubleValue' in value) {
    const double = value.doubleValue as number
    return Number.isFinite(double) ? double : String(double)
  }
  if ('arrayValue' in value) {
    if (depth >= 64) throw new Rejected()
    return ((value.arrayValue as { values?: AnyValue[] }).values ?? []).map((item) =>
      jsonOf(item, false, depth + 1),
    )
  }
  if ('kvlistValue' in value) {
    if (depth >= 64) throw new Rejected()
    const object: JsonObject = {}
    for (const pair of (value.kvlistValue as { values?: KeyValue[] }).values ?? []) {
      set(object, pair.key ?? '', jsonOf(pair.value, isCredentialKey(pair.key ?? ''), depth + 1))
    }
    return object
  }
  return null
}

function redacted(value: Json): Json {
  if (Array.isArray(value)) return value.map(redacted)
  if (!isObject(value)) return value
  const object: JsonObject = {}
  for (const [key, inside] of Object.entries(value)) {
    const hides = typeof inside === 'string' && inside !== '' && isCredentialKey(key)
    set(object, key, hides ? 'REDACTED' : redacted(inside))
  }
  return object
}
