/**
 * Masks personal data in the spans or log records of a request, on the wire and in place: names, bodies, messages of a
 * status, and texts of attributes at any depth. Resources stay, since they say whose spans these are. Knows nothing of what it looks for.
 */
import { maskText } from '../../domain/calls/mask.js'
import {
  ANY_VALUE,
  ARRAY,
  EVENT,
  KEY_VALUE,
  KEY_VALUE_LIST,
  LINK,
  LOG_RECORD,
  REQUEST,
  RESOURCE_SPANS,
  SCOPE_SPANS,
  SPAN,
  STATUS,
} from '../../proto/otlp/tags.js'
import { MAX_NESTING } from './limits.js'
import type { Signal } from './signal.js'
import type { Wire } from './wire.js'

/** @param depth levels of values above this one */
type Visit = (wire: Wire, from: number, to: number, depth: number) => void

/** Masks every span, or every log record, of the request. @throws BadMessage */
export function maskItems(wire: Wire, signal: Signal): void {
  REQUESTS[signal](wire, 0, wire.buf.length, 0)
}

const text: Visit = ({ buf }, from, to) => maskText(buf, from, to)

/** Visits fields of a message, each by its tag. */
function within(fields: readonly (readonly [number, Visit])[]): Visit {
  return (wire, from, to, depth) => {
    for (const [tag, visit] of fields)
      wire.each(from, to, tag, 'a message', (at, end) => visit(wire, at, end, depth))
  }
}

/** A span whose values are nested deeper is refused later on. */
const value: Visit = (wire, from, to, depth) => {
  if (depth <= MAX_NESTING) anyValue(wire, from, to, depth + 1)
}
const pair = within([[KEY_VALUE.value, value]])
const anyValue = within([
  [ANY_VALUE.stringValue, text],
  [ANY_VALUE.arrayValue, within([[ARRAY.values, value]])],
  [ANY_VALUE.kvlistValue, within([[KEY_VALUE_LIST.values, pair]])],
])
const span = within([
  [SPAN.name, text],
  [SPAN.attributes, pair],
  [SPAN.events, within([[EVENT.attributes, pair]])],
  [SPAN.links, within([[LINK.attributes, pair]])],
  [SPAN.status, within([[STATUS.message, text]])],
])
const logRecord = within([
  [LOG_RECORD.attributes, pair],
  [LOG_RECORD.body, value],
])
const requestOf = (item: Visit) =>
  within([
    [REQUEST.resourceSpans, within([[RESOURCE_SPANS.scopeSpans, within([[SCOPE_SPANS.spans, item]])]])],
  ])
const REQUESTS: Readonly<Record<Signal, Visit>> = { traces: requestOf(span), logs: requestOf(logRecord) }
