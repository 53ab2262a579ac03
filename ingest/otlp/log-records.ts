/**
 * The log records of one call, part of its span's text: `"logs":[…]`, at the end. A set: whatever order they come in and
 * however often, the same records in the same order, so that the same call comes of them. Pure.
 */
import { EVENT_BODY } from '../../domain/conventions/table.js'
import { eachElement, rawFields } from '../../platform/json/fields.js'
import { Notes, scanValue } from '../../platform/json/scan.js'
import { utf8At } from '../../platform/json/text.js'
import { contentOfEvents, type Fields, objectOf, type SpanContent } from './span-events.js'

/** Records that one call has at most, and their bytes. */
export const MAX_LOGS = 1000
export const MAX_LOG_BYTES = 4 << 20

/** What is around the records where there is no span. */
export const LOGS_BEGIN = '{"logs":['
export const LOGS_END = ']}'

/** Said beside the records if later ones were left out. */
const CUT = ',"logs_cut":true'

export interface Logs {
  /** JSON objects that begin with their time, in ascending order */
  readonly records: readonly string[]
  /** whether some that come after the last one were left out */
  readonly cut: boolean
}

/** The span's text without its records, and these. @param text '' for none */
export function takeLogs(text: string): { span: string; logs: Logs } {
  const bytes = Buffer.from(text)
  const found = text.includes('"logs":[') ? rawFields(bytes)?.get('logs') : undefined
  if (found === undefined) return { span: text, logs: { records: [], cut: false } }
  const records: string[] = []
  const notes = new Notes()
  eachElement(bytes, found.from, notes, (_, at) => {
    const end = scanValue(bytes, at, notes)
    records.push(utf8At(bytes, at, end))
    return end
  })
  const before = utf8At(bytes, 0, found.from - '"logs":'.length).replace(/,$/, '')
  const logs = { records, cut: utf8At(bytes, found.to, bytes.length).startsWith(CUT) }
  return { span: before === '{' ? '' : `${before}}`, logs }
}

/** The span's text with these records. */
export function putLogs(span: string, { records, cut }: Logs): string {
  const begin = span === '' ? '{' : `${span.slice(0, -1)},`
  return `${begin}"logs":[${records.join(',')}]${cut ? CUT : ''}}`
}

/** All of these records, each once. What was left out anywhere is left out: so it is the same whatever came first. */
export function unionOf(parts: readonly Logs[]): Logs {
  const ends = parts.filter(({ cut }) => cut).map(({ records }) => records.at(-1) ?? '')
  const end = ends.reduce<string | undefined>(
    (least, one) => (least === undefined || one < least ? one : least),
    undefined,
  )
  const all = [...new Set(parts.flatMap(({ records }) => records))].sort(byText)
  const records: string[] = []
  let bytes = 0
  for (const record of all) {
    bytes += Buffer.byteLength(record)
    if (records.length >= MAX_LOGS || bytes > MAX_LOG_BYTES || (end !== undefined && record > end)) break
    records.push(record)
  }
  return { records, cut: end !== undefined || records.length < all.length }
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** What the records carry. */
export function contentOfLogs({ records }: Logs): SpanContent {
  return contentOfEvents(records.map(eventOf))
}

/** The name and attributes of the record's event. */
export function eventOf(record: string): readonly [string, Fields] {
  const fields = objectOf(record)
  const attributes = new Map(objectOf(fields?.get('attributes')))
  const name = fields?.get('name')
  const body = fields?.get('body')
  // The body of an event is its message, unless it only says its name.
  if (body !== undefined && body !== name) attributes.set(EVENT_BODY, body)
  return [String(JSON.parse(name ?? '""')), attributes]
}

/** The parts of a call that its records have a say in. */
export interface Logged {
  readonly inputs: string
  readonly output: string
  readonly otel_span: string
}

/** The call with these records beside those that it has. Inputs and output of the span itself are left as they are. */
export function withLogs(call: Logged, more: readonly Logs[]): Logged {
  const { span, logs } = takeLogs(call.otel_span)
  const all = unionOf([logs, ...more])
  if (all.records.length === 0) return call
  const before = contentOfLogs(logs)
  const after = contentOfLogs(all)
  const side = (own: string, unset: string, had: Buffer | undefined, has: Buffer | undefined) =>
    own === unset || own === had?.toString() ? (has?.toString() ?? unset) : own
  return {
    inputs: side(call.inputs, '{}', before.inputs, after.inputs),
    output: side(call.output, '', before.output, after.output),
    otel_span: putLogs(span, all),
  }
}
