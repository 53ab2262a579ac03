/** A span, an event and a link as they stand on the wire: where their fields are, nothing copied. */
import type { Slice } from '../../platform/json/scan.js'
import { EVENT, LINK, SPAN, STATUS } from '../../proto/otlp/tags.js'
import { Attributes } from './attributes.js'
import { MAX_PARTS } from './limits.js'
import type { Wire } from './wire.js'

export const STATUS_OK = 1
export const STATUS_ERROR = 2

/** Where a field is that is not there. */
export const NOWHERE: Slice = { from: 0, to: 0 }

/** A time is where it stands, -1 for none. */
export class Span {
  traceId = NOWHERE
  spanId = NOWHERE
  parentId = NOWHERE
  state = NOWHERE
  name = NOWHERE
  message = NOWHERE
  kind = 0
  start = -1
  end = -1
  droppedAttributes = 0
  droppedEvents = 0
  droppedLinks = 0
  flags = 0
  statusCode = 0
  readonly attributes = new Attributes()
  readonly events: Slice[] = []
  readonly links: Slice[] = []
  /** It has more events or links than are noted. */
  tooManyParts = false

  /** Reads the Span message `[from, end)`. @throws BadMessage */
  constructor(wire: Wire, from: number, end: number) {
    wire.fields(from, end, 'a span', (tag, at, to) => this.#field(wire, tag, at, to))
  }

  #field(wire: Wire, tag: number, from: number, to: number): void {
    if (tag === SPAN.attributes) this.attributes.add(wire, from, to)
    else if (tag === SPAN.traceId) this.traceId = { from, to }
    else if (tag === SPAN.spanId) this.spanId = { from, to }
    else if (tag === SPAN.parentSpanId) this.parentId = { from, to }
    else if (tag === SPAN.traceState) this.state = { from, to }
    else if (tag === SPAN.name) this.name = { from, to }
    else if (tag === SPAN.events) this.#note(this.events, from, to)
    else if (tag === SPAN.links) this.#note(this.links, from, to)
    else if (tag === SPAN.status) this.#status(wire, from, to)
    else if (tag === SPAN.startTimeUnixNano) this.start = from
    else if (tag === SPAN.endTimeUnixNano) this.end = from
    else if (tag === SPAN.kind) this.kind = wire.varint(from)
    else if (tag === SPAN.flags) this.flags = wire.buf.readUInt32LE(from)
    else if (tag === SPAN.droppedAttributesCount) this.droppedAttributes = wire.varint(from)
    else if (tag === SPAN.droppedEventsCount) this.droppedEvents = wire.varint(from)
    else if (tag === SPAN.droppedLinksCount) this.droppedLinks = wire.varint(from)
  }

  #note(parts: Slice[], from: number, to: number): void {
    if (parts.length < MAX_PARTS) parts.push({ from, to })
    else this.tooManyParts = true
  }

  #status(wire: Wire, from: number, end: number): void {
    wire.fields(from, end, 'a status', (tag, at, to) => {
      if (tag === STATUS.message) this.message = { from: at, to }
      else if (tag === STATUS.code) this.statusCode = wire.varint(at)
    })
  }
}

export class SpanEvent {
  time = -1
  name = NOWHERE
  dropped = 0
  readonly attributes = new Attributes()

  /** Reads the Event message. @throws BadMessage */
  constructor(wire: Wire, { from, to: end }: Slice) {
    wire.fields(from, end, 'an event', (tag, at, to) => {
      if (tag === EVENT.attributes) this.attributes.add(wire, at, to)
      else if (tag === EVENT.name) this.name = { from: at, to }
      else if (tag === EVENT.timeUnixNano) this.time = at
      else if (tag === EVENT.droppedAttributesCount) this.dropped = wire.varint(at)
    })
  }
}

export class SpanLink {
  traceId = NOWHERE
  spanId = NOWHERE
  state = NOWHERE
  dropped = 0
  flags = 0
  readonly attributes = new Attributes()

  /** Reads the Link message. @throws BadMessage */
  constructor(wire: Wire, { from, to: end }: Slice) {
    wire.fields(from, end, 'a link', (tag, at, to) => {
      if (tag === LINK.attributes) this.attributes.add(wire, at, to)
      else if (tag === LINK.traceId) this.traceId = { from: at, to }
      else if (tag === LINK.spanId) this.spanId = { from: at, to }
      else if (tag === LINK.traceState) this.state = { from: at, to }
      else if (tag === LINK.droppedAttributesCount) this.dropped = wire.varint(at)
      else if (tag === LINK.flags) this.flags = wire.buf.readUInt32LE(at)
    })
  }
}
