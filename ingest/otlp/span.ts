/** A span as it stands on the wire: where its fields are, nothing copied. Used again for the next one. */
import { EVENT, LINK, SPAN, STATUS } from '../../proto/otlp/tags.js'
import { type AttributePlan, planOf } from './attribute-plan.js'
import { Attributes, type Compile } from './attributes.js'
import { BadMessage } from './bad.js'
import { MAX_PARTS } from './limits.js'
import type { Wire } from './wire.js'

export const STATUS_OK = 1
export const STATUS_ERROR = 2

/** Offsets are into the wire's buffer; a field that is not there has `from === to`, a time `-1`. */
export class Span {
  traceIdFrom = 0
  traceIdTo = 0
  spanIdFrom = 0
  spanIdTo = 0
  parentIdFrom = 0
  parentIdTo = 0
  stateFrom = 0
  stateTo = 0
  nameFrom = 0
  nameTo = 0
  kind = 0
  start = -1
  end = -1
  droppedAttributes = 0
  droppedEvents = 0
  droppedLinks = 0
  flags = 0
  statusCode = 0
  messageFrom = 0
  messageTo = 0
  readonly attributes = new Attributes<AttributePlan>(planOf)
  /** From, to, from, to, … of the messages. */
  readonly events: number[] = []
  readonly links: number[] = []
  /** It has more events or links than are noted. */
  tooManyParts = false

  #clear(): void {
    this.traceIdFrom = this.traceIdTo = 0
    this.spanIdFrom = this.spanIdTo = 0
    this.parentIdFrom = this.parentIdTo = 0
    this.stateFrom = this.stateTo = 0
    this.nameFrom = this.nameTo = 0
    this.kind = this.flags = 0
    this.start = this.end = -1
    this.droppedAttributes = this.droppedEvents = this.droppedLinks = 0
    this.statusCode = this.messageFrom = this.messageTo = 0
    this.attributes.clear()
    this.events.length = 0
    this.links.length = 0
    this.tooManyParts = false
  }

  /** Reads the Span message `[from, end)`. @throws BadMessage */
  read(wire: Wire, from: number, end: number): void {
    this.#clear()
    let pos = from
    while (pos < end) {
      const tag = wire.tag(pos)
      pos = wire.pos
      if ((tag & 7) === 2) {
        const length = wire.length(pos, end)
        const at = wire.pos
        pos = at + length
        this.#piece(wire, tag, at, pos)
      } else pos = this.#number(wire, tag, pos)
    }
    if (pos !== end) throw new BadMessage('a span goes beyond its end')
  }

  #piece(wire: Wire, tag: number, from: number, to: number): void {
    switch (tag) {
      case SPAN.attributes:
        this.attributes.add(wire, from, to)
        break
      case SPAN.traceId:
        this.traceIdFrom = from
        this.traceIdTo = to
        break
      case SPAN.spanId:
        this.spanIdFrom = from
        this.spanIdTo = to
        break
      case SPAN.parentSpanId:
        this.parentIdFrom = from
        this.parentIdTo = to
        break
      case SPAN.traceState:
        this.stateFrom = from
        this.stateTo = to
        break
      case SPAN.name:
        this.nameFrom = from
        this.nameTo = to
        break
      case SPAN.events:
        this.#note(this.events, from, to)
        break
      case SPAN.links:
        this.#note(this.links, from, to)
        break
      case SPAN.status:
        this.#status(wire, from, to)
    }
  }

  #note(parts: number[], from: number, to: number): void {
    if (parts.length < MAX_PARTS * 2) parts.push(from, to)
    else this.tooManyParts = true
  }

  #number(wire: Wire, tag: number, pos: number): number {
    switch (tag) {
      case SPAN.startTimeUnixNano:
        this.start = pos
        return pos + 8
      case SPAN.endTimeUnixNano:
        this.end = pos
        return pos + 8
      case SPAN.kind:
        this.kind = wire.varint(pos)
        return wire.pos
      case SPAN.flags:
        this.flags = wire.buf.length >= pos + 4 ? wire.buf.readUInt32LE(pos) : 0
        return pos + 4
      case SPAN.droppedAttributesCount:
        this.droppedAttributes = wire.varint(pos)
        return wire.pos
      case SPAN.droppedEventsCount:
        this.droppedEvents = wire.varint(pos)
        return wire.pos
      case SPAN.droppedLinksCount:
        this.droppedLinks = wire.varint(pos)
        return wire.pos
    }
    return wire.skip(tag, pos)
  }

  #status(wire: Wire, from: number, end: number): void {
    let pos = from
    while (pos < end) {
      const tag = wire.tag(pos)
      pos = wire.pos
      if (tag === STATUS.message) {
        const length = wire.length(pos, end)
        this.messageFrom = wire.pos
        this.messageTo = pos = wire.pos + length
      } else if (tag === STATUS.code) {
        this.statusCode = wire.varint(pos)
        pos = wire.pos
      } else pos = wire.skip(tag, pos)
    }
    if (pos !== end) throw new BadMessage('a status goes beyond its end')
  }
}

/** An event or a link of a span, likewise. */
export class SpanPart<T> {
  time = -1
  nameFrom = 0
  nameTo = 0
  traceIdFrom = 0
  traceIdTo = 0
  spanIdFrom = 0
  spanIdTo = 0
  stateFrom = 0
  stateTo = 0
  dropped = 0
  flags = 0
  readonly attributes: Attributes<T>

  constructor(compile: Compile<T>) {
    this.attributes = new Attributes(compile)
  }

  /** Reads the Event message `[from, end)`. @throws BadMessage */
  readEvent(wire: Wire, from: number, end: number): void {
    this.time = -1
    this.dropped = this.nameFrom = this.nameTo = 0
    this.attributes.clear()
    let pos = from
    while (pos < end) {
      const tag = wire.tag(pos)
      pos = wire.pos
      if (tag === EVENT.name || tag === EVENT.attributes) {
        const length = wire.length(pos, end)
        const at = wire.pos
        pos = at + length
        if (tag === EVENT.attributes) this.attributes.add(wire, at, pos)
        else {
          this.nameFrom = at
          this.nameTo = pos
        }
      } else if (tag === EVENT.timeUnixNano) {
        this.time = pos
        pos += 8
      } else if (tag === EVENT.droppedAttributesCount) {
        this.dropped = wire.varint(pos)
        pos = wire.pos
      } else pos = wire.skip(tag, pos)
    }
    if (pos !== end) throw new BadMessage('an event goes beyond its end')
  }

  /** Reads the Link message `[from, end)`. @throws BadMessage */
  readLink(wire: Wire, from: number, end: number): void {
    this.traceIdFrom = this.traceIdTo = this.spanIdFrom = this.spanIdTo = 0
    this.stateFrom = this.stateTo = this.dropped = this.flags = 0
    this.attributes.clear()
    let pos = from
    while (pos < end) {
      const tag = wire.tag(pos)
      pos = wire.pos
      if ((tag & 7) === 2) {
        const length = wire.length(pos, end)
        const at = wire.pos
        pos = at + length
        this.#linkPiece(wire, tag, at, pos)
      } else if (tag === LINK.droppedAttributesCount) {
        this.dropped = wire.varint(pos)
        pos = wire.pos
      } else if (tag === LINK.flags) {
        this.flags = wire.buf.length >= pos + 4 ? wire.buf.readUInt32LE(pos) : 0
        pos += 4
      } else pos = wire.skip(tag, pos)
    }
    if (pos !== end) throw new BadMessage('a link goes beyond its end')
  }

  #linkPiece(wire: Wire, tag: number, from: number, to: number): void {
    if (tag === LINK.attributes) this.attributes.add(wire, from, to)
    else if (tag === LINK.traceId) {
      this.traceIdFrom = from
      this.traceIdTo = to
    } else if (tag === LINK.spanId) {
      this.spanIdFrom = from
      this.spanIdTo = to
    } else if (tag === LINK.traceState) {
      this.stateFrom = from
      this.stateTo = to
    }
  }
}
