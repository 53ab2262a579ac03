/**
 * What a request's rows should be, said slowly and plainly over protobufjs's own decode: objects, JSON.parse, one rule
 * a line. The property tests hold the walk of the wire against it.
 */

import { isId } from '../../../contract/limits.js'
import { isCredentialKey } from '../../../domain/calls/credential-keys.js'
import {
  ATTRIBUTES,
  CONVENTION_KEYS,
  COSTS,
  EVENT_BODY,
  EVENT_MESSAGES,
  EVENT_VALUES,
  EVENTS,
  FIELDS,
  INPUTS,
  JSON_TEXTS,
  OPERATION_KINDS,
  OUTPUT,
  RESOURCE_KEYS,
  type Reading,
  type Source,
  SYNONYMS,
  USAGE,
  USER_KEYS,
} from '../../../domain/conventions/table.js'
import { spanOpName } from '../../../domain/refs/op-name.js'
import { SPAN_OP_DIGEST } from '../../../domain/refs/placeholder-op.js'
import { isProjectName, projectIdOf } from '../../../platform/ids/project.js'
import { isStorableTime, microsOf } from '../../../platform/time/micros.js'
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
  const placed: Placed[] = []
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
          const name = projectOf(block.resource?.attributes ?? []) ?? project
          const [row, turn] = rowOf(span, name, scopeJson, resource)
          rows.push(row)
          placed.push({
            row,
            turn,
            id: `${name} ${hexOf(span.traceId)} ${hexOf(span.spanId)}`,
            parent: `${name} ${hexOf(span.traceId)} ${hexOf(span.parentSpanId)}`,
          })
        } catch (error) {
          if (!(error instanceof Rejected)) throw error
          rejected++
        }
      }
    }
  }
  settle(placed)
  return { rows, rejected }
}

interface Placed {
  row: ExpectedRow
  /** whether it is a turn; undefined: if it is the root of its thread */
  turn: 'said' | 'denied' | 'taken' | 'none'
  id: string
  parent: string
}

const hexOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex')

/** Threads, turns and users of the ancestors in the same request. */
function settle(placed: Placed[]): void {
  const byId = new Map(placed.map((one) => [one.id, one]))
  const done = new Set<Placed>()
  const users = new Map(placed.map((one) => [one, (one.row.attributes as JsonObject).user_id]))
  const visit = (one: Placed): void => {
    if (done.has(one)) return
    done.add(one)
    const parent = byId.get(one.parent)
    if (parent === undefined) return
    visit(parent)
    if (users.get(one) === undefined) {
      const user = users.get(parent)
      users.set(one, user)
      if (canInherit(user)) one.row.attributes = { ...(one.row.attributes as JsonObject), user_id: user! }
    }
    const { thread_id: above, turn_id: turn } = parent.row
    if (above === undefined || (one.row.thread_id !== undefined && one.row.thread_id !== above)) return
    one.row.thread_id = above
    if (turn !== undefined && one.turn !== 'said') one.row.turn_id = turn
  }
  for (const one of placed) visit(one)
}

function canInherit(user: Json | undefined): boolean {
  return (
    typeof user === 'number' ||
    (typeof user === 'string' && isId(user, 256) && Buffer.byteLength(user) <= 256)
  )
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

function rowOf(
  span: SpanMessage,
  project: string,
  scope: Json,
  resource: Json,
): [ExpectedRow, Placed['turn']] {
  if (!isProjectName(project)) throw new Rejected()
  const trace = idOf(span.traceId, 16)
  const spanId = idOf(span.spanId, 8)
  const parentBytes = Buffer.from(span.parentSpanId ?? [])
  const parent = parentBytes.every((byte) => byte === 0) ? undefined : idOf(parentBytes, 8)
  const attributes = nested(span.attributes ?? [])
  const first = (keys: readonly Source[], deep = true) => firstOf(attributes, keys, deep)
  const text = (keys: readonly Source[]) => {
    const found = first(keys)
    return found === undefined || typeof found.value === 'object' ? undefined : textOf(found.value)
  }
  const idText = (keys: readonly Source[], limit: number) => {
    const value = text(keys)
    if (value !== undefined && !isId(value, limit)) throw new Rejected()
    return value
  }
  const callId = idText(FIELDS.callId, 128)
  const id = callId ?? spanId
  const traceId = idText(FIELDS.traceId, 128) ?? trace
  const parentId = idText(FIELDS.parentId, 128) ?? parent
  const runId = idText(FIELDS.runId, 256)
  const steps = [FIELDS.runStep, FIELDS.runStepEnd].map((keys) => {
    const value = text(keys)
    if (value === undefined) return undefined
    if (!Number.isSafeInteger(Number(value))) throw new Rejected()
    return String(Number(value))
  })
  idText(FIELDS.ownThreadId, 256)
  const thread = text(FIELDS.threadId)
  const threadId = thread !== undefined && isId(thread, 256) ? thread : undefined
  const explicit = text(FIELDS.isTurn)
  const turn =
    threadId === undefined
      ? 'none'
      : explicit === 'true'
        ? 'said'
        : explicit === 'false'
          ? 'denied'
          : first(FIELDS.conversation) !== undefined
            ? 'taken'
            : 'none'
  const isTurn = turn === 'said' || turn === 'taken'
  const started = overriding(text(FIELDS.startTime)) ?? micros(span.startTimeUnixNano)
  if (!isStorableTime(started)) throw new Rejected()
  const ended = overriding(text(FIELDS.endTime)) ?? micros(span.endTimeUnixNano)
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
  const content = contentOf(span)
  const inputs = named(first(INPUTS, false), (value) => isObject(value)) ?? content.inputs
  const output = named(first(OUTPUT, false), () => true) ?? content.output
  const usage = usageOf(first, (key) => isThere(attributes, key))
  const facts: JsonObject = {}
  for (const [name, keys] of Object.entries<readonly Source[]>(ATTRIBUTES)) {
    const found = first(keys, true)
    if (found === undefined) continue
    if (!found.source[2]?.operation) facts[name] = found.value
    else {
      const operation = typeof found.value === 'object' ? '' : textOf(found.value).split(' ')[0]!
      if (Object.hasOwn(OPERATION_KINDS, operation)) facts[name] = OPERATION_KINDS[operation]!
    }
  }
  const sent = new Set((span.attributes ?? []).map(({ key = '' }) => key))
  const mayHave = (key: string) =>
    isThere(attributes, key) ||
    key.split('.').some((_, i, parts) => i > 0 && sent.has(parts.slice(0, i).join('.')))
  const taken = Object.entries<readonly Source[]>(ATTRIBUTES)
    .filter(([, keys]) => keys.some(([key]) => mayHave(key)))
    .map(([name]) => name)
  const own = nested(
    (span.attributes ?? []).filter(({ key = '' }) => isOwn(key)),
    span.attributes,
  )
  for (const name of taken) delete own[name]
  const model = facts.model
  const merged = first(FIELDS.merged)?.value
  const recognised =
    inputs !== undefined || output !== undefined || usage !== undefined || Object.keys(facts).length > 0
  let stored: JsonObject = facts
  if (isObject(merged)) stored = { ...facts, ...own, ...merged }
  else if (recognised) stored = { ...facts, ...own }
  else stored = { ...attributes }
  delete stored.otel_span
  const key = typeof model === 'string' ? model : 'usage'
  const displayName = text(FIELDS.displayName)
  const row = compact({
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
    exception:
      span.status?.code === 2 || text(FIELDS.level) === 'ERROR'
        ? span.status?.message || (exceptionOf(span) ?? text(FIELDS.errorMessage) ?? 'error')
        : undefined,
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
  return [row, turn]
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

interface Found {
  source: Source
  value: Json
}

function named(found: Found | undefined, unwraps: (value: Json) => boolean): Json | undefined {
  if (found === undefined) return undefined
  const [key, , reading = {}] = found.source
  if (reading.bare && unwraps(found.value)) return found.value
  const { value } = found
  const last = Array.isArray(value) ? value.at(-1) : undefined
  const answered = reading.unanswered && isObject(last) && last.role === 'assistant'
  return { [key]: answered ? (value as Json[]).slice(0, -1) : value }
}

type Find = (keys: readonly Source[]) => Found | undefined

/** What stands at a key. `deep`: also inside of values that are objects or lists. */
function at(root: JsonObject, key: string, deep: boolean): Json | undefined {
  if (Object.hasOwn(root, key)) return root[key]
  let value: Json | undefined = root
  for (const part of key.split('.')) {
    const values: Json | undefined = value
    if (!deep && leafValues.has(values as object)) value = undefined
    else if (isObject(values) && Object.hasOwn(values, part)) value = values[part]
    else if (Array.isArray(values) && /^\d+$/.test(part)) value = values[Number(part)]
    else value = undefined
  }
  return value
}

/** Whether a value, or something below it, was sent under a key. */
const isThere = (root: JsonObject, key: string) => at(root, key, false) !== undefined

function firstOf(root: JsonObject, keys: readonly Source[], deep: boolean): Found | undefined {
  for (const source of keys) {
    const [key, , reading = {}] = source
    const value = at(root, key, deep)
    if (value === undefined || value === null || value === '') continue
    if (reading.unless !== undefined && isThere(root, reading.unless)) continue
    if (reading.beside !== undefined && !isThere(root, reading.beside)) continue
    if (reading.list && typeof value === 'object' && !leafValues.has(value)) {
      if (!Object.keys(value).some((part) => /^\d+$/.test(part))) continue
    }
    if (reading.dumpUnless !== undefined && (isDump(value) || (reading.text && typeof value === 'string'))) {
      const clean = at(root, reading.dumpUnless, deep)
      if (clean !== undefined && clean !== null && clean !== '') continue
    }
    return { source, value }
  }
  return undefined
}

function isDump(value: Json): boolean {
  const text = Buffer.from(JSON.stringify(value)).toString('latin1')
  const at = text.search(/"lc":1,"type":"constructor"/)
  return (at >= 0 && at < 256) || hasCall(text)
}

/** Whether one of the first 256 bytes is a bracket between a name and a named value. */
function hasCall(text: string): boolean {
  return [...text.matchAll(/[A-Za-z_]\w*\((?=\w+=)/g)].some((call) => call.index + call[0].length <= 256)
}

function isOwn(key: string): boolean {
  if ([...INPUTS, ...OUTPUT].some(([content]) => content === key)) return false
  const begins = (prefix: string) => key.startsWith(prefix)
  return !CONVENTION_KEYS.some(begins) || USER_KEYS.some(begins)
}

function usageOf(first: Find, has: (key: string) => boolean): JsonObject | undefined {
  const usage: Record<string, number> = {}
  let isUncached = false
  for (const [name, keys] of Object.entries<readonly Source[]>(USAGE)) {
    const found = first(keys)
    if (found === undefined) continue
    const text = textOf(found.value).slice(0, 40)
    if (!/^-?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(text)) continue
    const count = Math.trunc(Number(text))
    if (!(count >= 0 && Number.isSafeInteger(count))) continue
    usage[name] = count
    const [, , { uncached, uncachedWith } = {} as Reading] = found.source
    isUncached ||= uncached === true || (uncachedWith !== undefined && has(uncachedWith))
  }
  const { input_tokens, output_tokens = 0, total_tokens } = usage
  if (isUncached && input_tokens !== undefined && total_tokens !== input_tokens + output_tokens)
    usage.input_tokens =
      input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
  for (const [kept, double] of SYNONYMS) if (usage[kept] !== undefined) delete usage[double]
  const sum = (a: string, b: string) =>
    usage[a] !== undefined && usage[b] !== undefined ? usage[a] + usage[b] : undefined
  const total =
    usage.total_tokens ?? sum('prompt_tokens', 'completion_tokens') ?? sum('input_tokens', 'output_tokens')
  if (total !== undefined) usage.total_tokens = total
  for (const [name, keys] of Object.entries<readonly Source[]>(COSTS)) {
    const found = first(keys)
    if (found === undefined || typeof found.value === 'object') continue
    const text = textOf(found.value)
    if (found.source[2]?.positive && Number(text) === 0) continue
    if (text.length <= 40 && /^(0|[1-9]\d*)(\.\d+)?(e[+-]?\d{1,2})?$/i.test(text)) usage[name] = Number(text)
  }
  return Object.keys(usage).length === 0 ? undefined : usage
}

/** The attributes of an event by their whole keys. */
function eventAttributes(event: NonNullable<SpanMessage['events']>[number]): JsonObject {
  const flat: JsonObject = {}
  for (const { key = '', value } of event.attributes ?? []) set(flat, key, topValue(key, value))
  return flat
}

function contentOf(span: SpanMessage): { inputs?: Json; output?: Json } {
  const content: { inputs?: Json; output?: Json } = {}
  const messages = { inputs: [] as Json[], output: [] as Json[] }
  for (const event of span.events ?? []) {
    const name = event.name ?? ''
    if (!name.startsWith('gen_ai.')) continue
    const said = eventAttributes(event)
    for (const column of ['inputs', 'output'] as const) {
      const key = EVENT_VALUES[column].find((one) => said[one] !== undefined)
      if (key !== undefined && (column === 'output' || content.inputs === undefined))
        content[column] = { [key]: said[key]! }
    }
    if (!Object.hasOwn(EVENTS, name)) continue
    const { to, role } = EVENTS[name]!
    const bodyKey = EVENT_MESSAGES.find((key) => said[key] !== undefined && said[key] !== '')
    const body = bodyKey === undefined ? undefined : said[bodyKey]
    const beside = [
      'event.name',
      'gen_ai.system',
      'gen_ai.provider.name',
      'gen_ai.message.index',
      ...EVENT_MESSAGES,
    ]
    const message: JsonObject = { role }
    if (bodyKey !== EVENT_BODY || !isObject(body))
      for (const [key, value] of Object.entries(said)) if (!beside.includes(key)) set(message, key, value)
    if (isObject(body)) {
      const inside = isObject(body.message) ? body.message : body
      for (const [key, value] of Object.entries(inside)) set(message, key, value)
    } else if (body !== undefined) message.content = body
    messages[to].push(message)
  }
  if (messages.inputs.length > 0) content.inputs ??= { 'gen_ai.input.messages': messages.inputs }
  if (messages.output.length > 0) content.output ??= { 'gen_ai.output.messages': messages.output }
  return content
}

function exceptionOf(span: SpanMessage): string | undefined {
  return (span.events ?? [])
    .filter(({ name }) => name === 'exception')
    .map(eventAttributes)
    .map((said) => [said['exception.message'], said['exception.type']])
    .map((texts) => texts.find((text): text is string => typeof text === 'string' && text !== ''))
    .findLast((text) => text !== undefined)
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

/** @param all the attributes that `pairs` are among */
function nested(pairs: KeyValue[], all = pairs): JsonObject {
  interface Node {
    value?: Json
    children: Map<string, Node>
  }
  const keys = new Set(all.map(({ key = '' }) => key))
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
