/**
 * A span as JSON text, whole: what `attributes.otel_span` reads back. Knows the form of a span and nothing of what its
 * attributes mean.
 */
import { viewOf } from '../../common/calls/bytes.js'
import type { StringColumn } from '../../common/calls/column.js'
import { BadSpan } from './bad.js'
import { writeNatural } from './number.js'
import { type Nesting, nestingOf } from './plan.js'
import { type Span, SpanPart } from './span.js'
import { writeString } from './text.js'
import { writeTime } from './time.js'
import type { Wire } from './wire.js'

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const STATUSES = ['UNSET', 'OK', 'ERROR']

const text = (literal: string): DataView => viewOf(Buffer.from(literal))
const NAME = text('{"name":')
const TRACE_ID = text(',"context":{"trace_id":"')
const SPAN_ID = text('","span_id":"')
const STATE = text('","trace_state":')
const START = text(',"start_time":')
const END = text(',"end_time":')
const MESSAGE = text(',"message":')
const ATTRIBUTES = text('},"attributes":')
const EVENTS = text(',"events":[')
const LINKS = text('],"links":[')
const TIMESTAMP = text(',"timestamp":')
const PART_ATTRIBUTES = text(',"attributes":')

/** What follows the context, by kind, with a parent and without. */
const kindAndParent = KINDS.map((kind) => text(`},"kind":"${kind}","parent_id":"`))
const kindAlone = KINDS.map((kind) => text(`},"kind":"${kind}","parent_id":null`))
const status = STATUSES.map((code) => text(`,"status":{"code":"${code}"`))

const event = new SpanPart<Nesting | string>(nestingOf)
const link = new SpanPart<Nesting | string>(nestingOf)

/**
 * Appends the span's text up to and with its attributes (nested as `nesting` says).
 * @throws BadSpan if one of its values can't be written
 */
export function writeSpanHead(out: StringColumn, wire: Wire, span: Span, nesting: Nesting): void {
  const { buf, view } = wire
  literal(out, NAME)
  writeString(out, view, span.nameFrom, span.nameTo)
  literal(out, TRACE_ID)
  out.appendHex(buf, span.traceIdFrom, span.traceIdTo)
  literal(out, SPAN_ID)
  out.appendHex(buf, span.spanIdFrom, span.spanIdTo)
  literal(out, STATE)
  writeString(out, view, span.stateFrom, span.stateTo)
  const kind = span.kind < KINDS.length ? span.kind : 0
  if (span.parentIdFrom < span.parentIdTo) {
    literal(out, kindAndParent[kind]!)
    out.appendHex(buf, span.parentIdFrom, span.parentIdTo)
    out.byte(34)
  } else literal(out, kindAlone[kind]!)
  literal(out, START)
  time(out, buf, span.start)
  literal(out, END)
  time(out, buf, span.end)
  literal(out, status[span.statusCode] ?? status[0]!)
  literal(out, MESSAGE)
  writeString(out, view, span.messageFrom, span.messageTo)
  literal(out, ATTRIBUTES)
  span.attributes.write(out, wire, nesting)
}

/** Appends the rest: events, links, what was dropped, and what `originOf` made. @throws BadSpan */
export function writeSpanTail(out: StringColumn, wire: Wire, span: Span, origin: DataView): void {
  literal(out, EVENTS)
  for (let i = 0; i < span.events.length; i += 2) {
    if (i > 0) out.byte(44)
    writeEvent(out, wire, span.events[i]!, span.events[i + 1]!)
  }
  literal(out, LINKS)
  for (let i = 0; i < span.links.length; i += 2) {
    if (i > 0) out.byte(44)
    writeLink(out, wire, span.links[i]!, span.links[i + 1]!)
  }
  out.byte(93)
  count(out, ',"dropped_attributes_count":', span.droppedAttributes)
  count(out, ',"dropped_events_count":', span.droppedEvents)
  count(out, ',"dropped_links_count":', span.droppedLinks)
  count(out, ',"flags":', span.flags)
  literal(out, origin)
}

/** What ends the text of every span of one scope and resource, whose JSON texts these are. */
export function originOf(scope: Buffer, resource: Buffer): DataView {
  return text(`,"scope":${scope.toString()},"resource":${resource.toString()}}`)
}

function writeEvent(out: StringColumn, wire: Wire, from: number, to: number): void {
  event.readEvent(wire, from, to)
  literal(out, NAME)
  writeString(out, wire.view, event.nameFrom, event.nameTo)
  literal(out, TIMESTAMP)
  time(out, wire.buf, event.time)
  literal(out, PART_ATTRIBUTES)
  event.attributes.write(out, wire, usable(event.attributes.compiled(wire.buf)))
  count(out, ',"dropped_attributes_count":', event.dropped)
  out.byte(125)
}

function writeLink(out: StringColumn, wire: Wire, from: number, to: number): void {
  link.readLink(wire, from, to)
  out.utf8('{"trace_id":"')
  out.appendHex(wire.buf, link.traceIdFrom, link.traceIdTo)
  out.utf8('","span_id":"')
  out.appendHex(wire.buf, link.spanIdFrom, link.spanIdTo)
  out.utf8('","trace_state":')
  writeString(out, wire.view, link.stateFrom, link.stateTo)
  literal(out, PART_ATTRIBUTES)
  link.attributes.write(out, wire, usable(link.attributes.compiled(wire.buf)))
  count(out, ',"dropped_attributes_count":', link.dropped)
  count(out, ',"flags":', link.flags)
  out.byte(125)
}

function usable(nesting: Nesting | string): Nesting {
  if (typeof nesting === 'string') throw new BadSpan(`in an event or a link ${nesting}`)
  return nesting
}

function time(out: StringColumn, buf: Buffer, pos: number): void {
  if (pos < 0) out.utf8('null')
  else writeTime(out, buf, pos)
}

function count(out: StringColumn, opening: string, value: number): void {
  if (value === 0) return
  out.utf8(opening)
  writeNatural(out, value)
}

function literal(out: StringColumn, text: DataView): void {
  out.copyView(text, 0, text.byteLength)
}
