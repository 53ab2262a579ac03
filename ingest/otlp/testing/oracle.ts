/**
 * What a request's rows should be, said slowly and plainly over protobufjs's own decode: objects, JSON.parse, one rule
 * a line. The property tests hold the walk of the wire against it.
 */

import { isId } from '../../../contract/limits.js'
import { isCredentialKey } from '../../../domain/calls/credential-keys.js'
import { spanOpName } from '../../../domain/refs/op-name.js'
import { SPAN_OP_DIGEST } from '../../../domain/refs/placeholder-op.js'
import { isProjectName, projectIdOf } from '../../../platform/ids/project.js'
import { isStorableTime, microsOf } from '../../../platform/time/micros.js'
import {
  ATTRIBUTE_KEYS,
  FIELD_KEYS,
  INPUT_KEYS,
  OUTPUT_KEYS,
  RESOURCE_KEYS,
  UNWRAPPED_KEYS,
  USAGE_KEYS,
} from '../keys.js'
import type { AnyValue, ExportMessage, KeyValue, SpanMessage } from './messages.js'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** A row: JSON columns parsed, times in µs as text, unset columns left out. */
export type ExpectedRow = Record<string, Json>

export interface Expected {
  rows: ExpectedRow[]
  rejected: number
}

class Rejected extends Error {}

/** The rows of `message`, sent with the header project `project`. */
export function expectedRows(message: ExportMessage, project: string): Expected {
  const rows: ExpectedRow[] = []
  let rejected = 0
  for (const block of message.resourceSpans) {
    const resource = block.resource
      ? compact({
          attributes: resourceAttributes(block.resource.attributes ?? []),
          dropped_attributes_count: block.resource.droppedAttributesCount || undefined,
        })
      : null
    for (const { scope, spans } of block.scopeSpans) {
      const scopeJson = scope ? { name: scope.name ?? '', version: scope.version ?? '' } : null
      for (const span of spans) {
        try {
          rows.push(rowOf(span, projectOf(block.resource?.attributes ?? []) ?? project, scopeJson, resource))
        } catch (error) {
          if (!(error instanceof Rejected)) throw error
          rejected++
        }
      }
    }
  }
  return { rows, rejected }
}

function projectOf(attributes: KeyValue[]): string | undefined {
  const first = (keys: readonly string[]) =>
    keys
      .map((key) => attributes.findLast((attribute) => attribute.key === key)?.value)
      .find(
        (value): value is { stringValue: string } =>
          !!value && 'stringValue' in value && value.stringValue !== '',
      )?.stringValue
  const entity = first(RESOURCE_KEYS.entity)
  const name = first(RESOURCE_KEYS.project)
  return entity && name ? `${entity}/${name}` : undefined
}

function rowOf(span: SpanMessage, project: string, scope: Json, resource: Json): ExpectedRow {
  if (!isProjectName(project)) throw new Rejected()
  const trace = idOf(span.traceId, 16)
  const spanId = idOf(span.spanId, 8)
  const parentBytes = Buffer.from(span.parentSpanId ?? [])
  const parent = parentBytes.every((byte) => byte === 0) ? undefined : idOf(parentBytes, 8)
  const attributes = nested(span.attributes ?? [])
  const first = (keys: readonly string[], deep = true) => firstOf(attributes, keys, deep)
  const text = (keys: readonly string[]) => {
    const found = first(keys)
    return found === undefined || typeof found.value === 'object' ? undefined : textOf(found.value)
  }
  const idText = (keys: readonly string[], limit: number) => {
    const value = text(keys)
    if (value !== undefined && !isId(value, limit)) throw new Rejected()
    return value
  }
  const callId = idText(FIELD_KEYS.callId, 128)
  const id = callId ?? spanId
  const traceId = idText(FIELD_KEYS.traceId, 128) ?? trace
  const parentId = idText(FIELD_KEYS.parentId, 128) ?? parent
  const runId = idText(FIELD_KEYS.runId, 256)
  const steps = [FIELD_KEYS.runStep, FIELD_KEYS.runStepEnd].map((keys) => {
    const value = text(keys)
    if (value === undefined) return undefined
    if (!Number.isSafeInteger(Number(value))) throw new Rejected()
    return String(Number(value))
  })
  const threadId = idText(FIELD_KEYS.threadId, 256)
  const explicit = text(FIELD_KEYS.isTurn)
  const isTurn =
    explicit === 'true' || explicit === 'false'
      ? explicit === 'true'
      : first(FIELD_KEYS.conversation) !== undefined
  const started = overriding(text(FIELD_KEYS.startTime)) ?? micros(span.startTimeUnixNano)
  if (!isStorableTime(started)) throw new Rejected()
  const ended = overriding(text(FIELD_KEYS.endTime)) ?? micros(span.endTimeUnixNano)
  if (ended !== 0 && !isStorableTime(ended)) throw new Rejected()
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
      trace_id: Buffer.from(link.traceId ?? []).toString('hex'),
      span_id: Buffer.from(link.spanId ?? []).toString('hex'),
      trace_state: link.traceState ?? '',
      attributes: nested(link.attributes ?? []),
      dropped_attributes_count: link.droppedAttributesCount || undefined,
      flags: link.flags || undefined,
    }),
  )
  const inputs = named(first(INPUT_KEYS, false), (value) => isObject(value))
  const output = named(first(OUTPUT_KEYS, false), () => true)
  const usage = usageOf(first)
  const facts: JsonObject = {}
  for (const [name, keys] of Object.entries(ATTRIBUTE_KEYS)) {
    const found = first(keys, true)
    if (found !== undefined) facts[name] = found.value
  }
  const model = facts.model
  const merged = first(FIELD_KEYS.merged)?.value
  const recognised =
    inputs !== undefined || output !== undefined || usage !== undefined || Object.keys(facts).length > 0
  let stored: JsonObject = facts
  if (isObject(merged)) stored = { ...facts, ...merged }
  else if (!recognised) stored = { ...attributes }
  if (isObject(merged) || !recognised) delete stored.otel_span
  const key = typeof model === 'string' ? model : 'usage'
  const displayName = text(FIELD_KEYS.displayName)
  return compact({
    project_id: projectIdOf(project),
    id,
    trace_id: traceId,
    parent_id: parentId,
    thread_id: threadId,
    turn_id: threadId !== undefined && isTurn ? id : undefined,
    op_name: `weave:///${quote(project.split('/')[0]!)}/${quote(project.split('/')[1]!)}/op/${spanOpName(span.name ?? '')}:${SPAN_OP_DIGEST}`,
    display_name:
      displayName && [...displayName].length >= 1024
        ? `${[...displayName].slice(0, 1021).join('')}...`
        : displayName,
    started_at: String(started),
    ended_at: ended === 0 ? undefined : String(ended),
    exception: span.status?.code === 2 ? span.status.message || 'error' : undefined,
    inputs: inputs ?? {},
    output,
    attributes: stored,
    summary: usage === undefined ? {} : { usage: { [key]: usage } },
    run_id: runId,
    run_step: steps[0],
    run_step_end: steps[1],
    otel_span: compact({
      name: span.name ?? '',
      context: { trace_id: trace, span_id: spanId, trace_state: span.traceState ?? '' },
      kind:
        ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'][span.kind ?? 0] ??
        'UNSPECIFIED',
      parent_id: parent ?? null,
      start_time: isoOf(span.startTimeUnixNano),
      end_time: isoOf(span.endTimeUnixNano),
      status: {
        code: ['UNSET', 'OK', 'ERROR'][span.status?.code ?? 0] ?? 'UNSET',
        message: span.status?.message ?? '',
      },
      attributes,
      events,
      links,
      dropped_attributes_count: span.droppedAttributesCount || undefined,
      dropped_events_count: span.droppedEventsCount || undefined,
      dropped_links_count: span.droppedLinksCount || undefined,
      flags: span.flags || undefined,
      scope,
      resource,
    }),
  })
}

function compact(object: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}

function idOf(bytes: Uint8Array | undefined, size: number): string {
  const id = Buffer.from(bytes ?? [])
  if (id.length !== size || id.every((byte) => byte === 0)) throw new Rejected()
  return id.toString('hex')
}

function micros(nanos: string | undefined): number {
  return Number(BigInt(nanos ?? '0') / 1000n)
}

function isoOf(nanos: string | undefined): Json {
  if (nanos === undefined) return null
  const seconds = BigInt(nanos) / 1_000_000_000n
  const fraction = String(BigInt(nanos) % 1_000_000_000n).padStart(9, '0')
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${fraction}Z`
}

function overriding(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  let time = microsOf(text)
  if (/^\d{1,20}$/.test(text)) time = micros(text)
  else if (/^\d+\.\d+$/.test(text)) time = Math.floor(Number(text) * 1_000_000)
  return isStorableTime(time) ? time : undefined
}

function quote(part: string): string {
  return [...Buffer.from(part)]
    .map((byte) => {
      const letter = String.fromCharCode(byte)
      return /[A-Za-z0-9_.~-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}

/** A text's own, else its JSON with numbers as they are stored. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function named(
  found: { key: string; value: Json } | undefined,
  unwraps: (value: Json) => boolean,
): Json | undefined {
  if (found === undefined) return undefined
  return UNWRAPPED_KEYS.has(found.key) && unwraps(found.value) ? found.value : { [found.key]: found.value }
}

type Find = (keys: readonly string[]) => { key: string; value: Json } | undefined

/** `deep`: also inside of values that are objects or lists. */
function firstOf(root: JsonObject, keys: readonly string[], deep: boolean): ReturnType<Find> {
  for (const key of keys) {
    let value: Json | undefined = root
    for (const part of key.split('.')) {
      const values: Json | undefined = value
      if (!deep && leafValues.has(values as object)) value = undefined
      else if (isObject(values) && Object.hasOwn(values, part)) value = values[part]
      else if (Array.isArray(values) && /^\d+$/.test(part)) value = values[Number(part)]
      else value = undefined
    }
    if (value !== undefined && value !== null && value !== '') return { key, value }
  }
  return undefined
}

function usageOf(first: Find): JsonObject | undefined {
  const usage: Record<string, number> = {}
  for (const [name, keys] of Object.entries(USAGE_KEYS)) {
    const found = first(keys)
    if (found === undefined) continue
    const text = textOf(found.value).slice(0, 40)
    if (!/^-?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(text)) continue
    const count = Math.trunc(Number(text))
    if (count >= 0 && Number.isSafeInteger(count)) usage[name] = count
  }
  const sum = (a: string, b: string) =>
    usage[a] !== undefined && usage[b] !== undefined ? usage[a] + usage[b] : undefined
  const total =
    usage.total_tokens ?? sum('prompt_tokens', 'completion_tokens') ?? sum('input_tokens', 'output_tokens')
  if (total !== undefined) usage.total_tokens = total
  return Object.keys(usage).length === 0 ? undefined : usage
}

/** Objects and lists that are an attribute's value, not made by nesting keys. */
const leafValues = new WeakSet<object>()

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
  const root: Node = { children: new Map() }
  for (const { key = '', value } of pairs) {
    const parts = key.split('.')
    if (parts.length > 64) throw new Rejected()
    let node = root
    for (const part of parts) {
      if (node.value !== undefined) throw new Rejected()
      if (!node.children.has(part)) node.children.set(part, { children: new Map() })
      node = node.children.get(part)!
    }
    if (node.children.size > 0) throw new Rejected()
    node.value = topValue(key, value)
    if (typeof node.value === 'object' && node.value !== null) leafValues.add(node.value)
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
    if (/^[[{]/.test(value.stringValue)) {
      try {
        return redacted(JSON.parse(value.stringValue) as Json)
      } catch {
        return value.stringValue
      }
    }
  }
  return jsonOf(value, secret, 0)
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
