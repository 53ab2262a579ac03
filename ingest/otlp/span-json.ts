/**
 * A span as JSON text: what `attributes.otel_span` reads back. Its values go into a column, between what their skeleton
 * holds. Knows the form of a span and nothing of what its attributes mean.
 */

import type { StringColumn } from '../../domain/calls/column.js'
import type { Shared } from '../../domain/calls/low-cardinality.js'
import { MARKS } from '../../domain/calls/otel-span.js'
import { viewOf } from '../../platform/bytes/bytes.js'
import { nestingOf } from './attribute-plan.js'
import { BadSpan } from './bad.js'
import type { ResourceLabels } from './labels.js'
import type { Nesting } from './nesting.js'
import { writeNatural } from './number.js'
import type { Resource } from './resource.js'
import { type Span, SpanPart } from './span.js'
import type { SpanTemplate } from './span-template.js'
import { writeString } from './text.js'
import { writeNanos, writeTime } from './time.js'
import type { Wire } from './wire.js'

const text = (literal: string): DataView => viewOf(Buffer.from(literal))
/** What stands between the values of events and links, and before what was dropped. */
export const LITERALS = {
  partName: '{"name":',
  eventTime: ',"timestamp":',
  partAttributes: ',"attributes":',
  events: ',"events":[',
  links: '],"links":[',
  droppedAttributes: ',"dropped_attributes_count":',
  droppedEvents: ',"dropped_events_count":',
  droppedLinks: ',"dropped_links_count":',
  flags: ',"flags":',
  linkTrace: '{"trace_id":"',
  linkSpan: '","span_id":"',
  linkState: '","trace_state":',
} as const
const NAME = text(LITERALS.partName)
const EVENTS = text(LITERALS.events)
const LINKS = text(LITERALS.links)
const TIMESTAMP = text(LITERALS.eventTime)
const PART_ATTRIBUTES = text(LITERALS.partAttributes)

const MARK = MARKS.value.charCodeAt(0)

const event = new SpanPart<Nesting | string>(nestingOf)
const link = new SpanPart<Nesting | string>(nestingOf)

/** Writes the values of a span, with what stands before each or with marks between them. */
export class SpanJson {
  readonly #out: StringColumn
  #literals: readonly DataView[] | undefined
  #values = 0

  constructor(out: StringColumn) {
    this.#out = out
  }

  /**
   * Appends the values that `skeleton` has places for; those of the attributes are in `nested`, where `span.attributes`
   * wrote them. `whole`: with the skeleton's text around them, else with marks between them.
   * @throws BadSpan if one of its events or links can't be written
   */
  write(template: SpanTemplate, whole: boolean, wire: Wire, span: Span, nested: DataView): void {
    const out = this.#out
    const { buf, view } = wire
    this.#literals = whole ? template.literals : undefined
    this.#values = 0
    this.#next()
    writeString(out, view, span.nameFrom, span.nameTo)
    if (!template.own) {
      this.#id(buf, span.traceIdFrom, span.traceIdTo)
      this.#id(buf, span.spanIdFrom, span.spanIdTo)
    }
    this.#next()
    writeString(out, view, span.stateFrom, span.stateTo)
    const { parentIdFrom, parentIdTo } = span
    if (!template.own && parentIdFrom < parentIdTo) this.#id(buf, parentIdFrom, parentIdTo)
    const writeTimeOf = template.own ? writeNanos : time
    this.#next()
    writeTimeOf(out, buf, span.start)
    if (span.end >= 0) {
      this.#next()
      writeTimeOf(out, buf, span.end)
    }
    this.#next()
    writeString(out, view, span.messageFrom, span.messageTo)
    const { textFroms, textTos } = span.attributes
    const { attributes } = template
    for (let i = 0; i < attributes.length; i++) {
      const attribute = attributes[i]!
      this.#next()
      out.copyView(nested, textFroms[attribute]!, textTos[attribute]!)
    }
    this.#next()
    writeTail(out, wire, span)
  }

  #id(buf: Buffer, from: number, to: number): void {
    this.#next()
    this.#out.appendHex(buf, from, to)
  }

  #next(): void {
    const number = this.#values++
    if (this.#literals !== undefined) literal(this.#out, this.#literals[number]!)
    else if (number > 0) this.#out.byte(MARK)
  }
}

/** Appends what follows the attributes: events, links, what was dropped. */
function writeTail(out: StringColumn, wire: Wire, span: Span): void {
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
  count(out, LITERALS.droppedAttributes, span.droppedAttributes)
  count(out, LITERALS.droppedEvents, span.droppedEvents)
  count(out, LITERALS.droppedLinks, span.droppedLinks)
  count(out, LITERALS.flags, span.flags)
}

/** What the spans of one scope and resource have in common: how their text ends, and what the resource says of their calls. */
export interface Origin extends Shared {
  readonly labels: ResourceLabels
}

/** @param scope JSON text */
export function originOf(scope: Buffer, { text, labels }: Resource): Origin {
  return {
    text: `,"scope":${scope.toString()},"resource":${text.toString()}}`,
    ...{ index: 0, dictionary: 0, labels },
  }
}

function writeEvent(out: StringColumn, wire: Wire, from: number, to: number): void {
  event.readEvent(wire, from, to)
  literal(out, NAME)
  writeString(out, wire.view, event.nameFrom, event.nameTo)
  literal(out, TIMESTAMP)
  time(out, wire.buf, event.time)
  literal(out, PART_ATTRIBUTES)
  event.attributes.write(out, wire, usable(event.attributes.compiled(wire.buf)))
  count(out, LITERALS.droppedAttributes, event.dropped)
  out.byte(125)
}

function writeLink(out: StringColumn, wire: Wire, from: number, to: number): void {
  link.readLink(wire, from, to)
  out.utf8(LITERALS.linkTrace)
  out.appendHex(wire.buf, link.traceIdFrom, link.traceIdTo)
  out.utf8(LITERALS.linkSpan)
  out.appendHex(wire.buf, link.spanIdFrom, link.spanIdTo)
  out.utf8(LITERALS.linkState)
  writeString(out, wire.view, link.stateFrom, link.stateTo)
  literal(out, PART_ATTRIBUTES)
  link.attributes.write(out, wire, usable(link.attributes.compiled(wire.buf)))
  count(out, LITERALS.droppedAttributes, link.dropped)
  count(out, LITERALS.flags, link.flags)
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
