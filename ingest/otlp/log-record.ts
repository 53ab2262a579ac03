/** A log record as it stands on the wire, and as JSON text. Used again for the next one. */
import { StringColumn } from '../../domain/calls/column.js'
import { unescapedAt, utf8At } from '../../platform/json/text.js'
import { LOG_RECORD } from '../../proto/otlp/tags.js'
import { flatNestingOf } from './attribute-plan.js'
import { Attributes } from './attributes.js'
import { BadMessage } from './bad.js'
import type { Nesting } from './nesting.js'
import { isKnownEvent } from './span-events.js'
import { writeString } from './text.js'
import { writeTime } from './time.js'
import { EMPTY, type Found, readAnyValue, writeAttribute } from './value.js'
import type { Wire } from './wire.js'

/** The attribute that names an event, where the record has no name. */
const EVENT_NAME = 'event.name'

interface Layout {
  readonly nesting: Nesting
  /** The attribute {@link EVENT_NAME}; -1: there is none. */
  readonly name: number
}

/** Offsets are into the wire's buffer; a field that is not there has `from === to`, a time `-1`. */
export class LogRecord {
  traceIdFrom = 0
  traceIdTo = 0
  spanIdFrom = 0
  spanIdTo = 0
  /** When it happened, else when it was observed. */
  time = -1
  #nameFrom = 0
  #nameTo = 0
  #severityFrom = 0
  #severityTo = 0
  readonly #body: Found = { kind: EMPTY, from: 0, to: 0 }
  readonly #attributes = new Attributes<Layout>((keys) => ({
    nesting: flatNestingOf(keys),
    name: keys.indexOf(EVENT_NAME),
  }))
  readonly #text = new StringColumn()

  /** Reads the LogRecord message `[from, end)`. @throws BadMessage */
  read(wire: Wire, from: number, end: number): void {
    this.traceIdFrom = this.traceIdTo = this.spanIdFrom = this.spanIdTo = 0
    this.#nameFrom = this.#nameTo = this.#severityFrom = this.#severityTo = 0
    this.#body.kind = EMPTY
    this.#attributes.clear()
    let happened = -1
    let observed = -1
    let pos = from
    while (pos < end) {
      const tag = wire.tag(pos)
      pos = wire.pos
      if ((tag & 7) === 2) {
        const length = wire.length(pos, end)
        const at = wire.pos
        pos = at + length
        this.#piece(wire, tag, at, pos)
      } else if (tag === LOG_RECORD.timeUnixNano || tag === LOG_RECORD.observedTimeUnixNano) {
        if (pos + 8 <= end && !isZero(wire.buf, pos)) {
          if (tag === LOG_RECORD.timeUnixNano) happened = pos
          else observed = pos
        }
        pos += 8
      } else pos = wire.skip(tag, pos)
    }
    if (pos !== end) throw new BadMessage('a log record goes beyond its end')
    this.time = happened < 0 ? observed : happened
  }

  #piece(wire: Wire, tag: number, from: number, to: number): void {
    switch (tag) {
      case LOG_RECORD.attributes:
        this.#attributes.add(wire, from, to)
        break
      case LOG_RECORD.body:
        readAnyValue(wire, from, to, this.#body)
        break
      case LOG_RECORD.traceId:
        this.traceIdFrom = from
        this.traceIdTo = to
        break
      case LOG_RECORD.spanId:
        this.spanIdFrom = from
        this.spanIdTo = to
        break
      case LOG_RECORD.eventName:
        this.#nameFrom = from
        this.#nameTo = to
        break
      case LOG_RECORD.severityText:
        this.#severityFrom = from
        this.#severityTo = to
    }
  }

  /**
   * The record as a JSON object; undefined if it is no event that says something about a call. The name is the record's,
   * that of an attribute, or its body, whichever is known. Needs a time. @throws BadSpan if a value can't be written
   */
  text(wire: Wire): string | undefined {
    const out = this.#text
    out.rewind(0, 0)
    const { nesting, name: number } = this.#attributes.compiled(wire.buf)
    out.utf8(',"attributes":')
    this.#attributes.write(out, wire, nesting)
    const { textFroms, textTos } = this.#attributes
    const { kind, from, to } = this.#body
    let bodyAt = -1
    if (kind !== EMPTY) {
      out.utf8(',"body":')
      bodyAt = out.pos
      writeAttribute(out, wire, kind, from, to, false, false)
    }
    const end = out.pos
    const textAt = (at: number, to: number) =>
      at >= 0 && out.buf[at] === 34 ? unescapedAt(out.buf, at + 1, to - 1) : ''
    const names = [
      utf8At(wire.buf, this.#nameFrom, this.#nameTo),
      number < 0 ? '' : textAt(textFroms[number]!, textTos[number]!),
      textAt(bodyAt, end),
    ]
    const name = names.find(isKnownEvent)
    if (name === undefined) return undefined
    const rest = utf8At(out.buf, 0, end)
    out.rewind(0, 0)
    out.utf8('{"timestamp":')
    writeTime(out, wire.buf, this.time)
    out.utf8(`,"name":${JSON.stringify(name)}`)
    if (this.#severityFrom < this.#severityTo) {
      out.utf8(',"severity":')
      writeString(out, wire.view, this.#severityFrom, this.#severityTo)
    }
    const head = utf8At(out.buf, 0, out.pos)
    out.shrink()
    return `${head}${rest}}`
  }
}

function isZero(buf: Uint8Array, pos: number): boolean {
  for (let i = pos; i < pos + 8; i++) if (buf[i] !== 0) return false
  return true
}
