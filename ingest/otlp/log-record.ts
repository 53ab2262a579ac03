/** A log record as it stands on the wire, and as JSON text. */
import { objectText } from '../../platform/json/members.js'
import type { Slice } from '../../platform/json/scan.js'
import { utf8At } from '../../platform/json/text.js'
import { LOG_RECORD } from '../../proto/otlp/tags.js'
import { Attributes } from './attributes.js'
import { NOWHERE } from './span.js'
import { isKnownEvent } from './span-events.js'
import { timeText } from './time.js'
import { attributeJson, EMPTY, NO_VALUE, readAnyValue, stringJson, type Value } from './value.js'
import type { Wire } from './wire.js'

/** The attribute that names an event, where the record has no name. */
const EVENT_NAME = 'event.name'

export class LogRecord {
  traceId = NOWHERE
  spanId = NOWHERE
  /** Where the time stands when it happened, else when it was observed; -1 for none. */
  readonly time: number
  #name = NOWHERE
  #severity = NOWHERE
  #body: Value = NO_VALUE
  readonly #attributes = new Attributes()

  /** Reads the LogRecord message `[from, end)`. @throws BadMessage */
  constructor(wire: Wire, from: number, end: number) {
    let happened = -1
    let observed = -1
    wire.fields(from, end, 'a log record', (tag, at, to) => {
      if (tag === LOG_RECORD.timeUnixNano && !isZero(wire.buf, at)) happened = at
      else if (tag === LOG_RECORD.observedTimeUnixNano && !isZero(wire.buf, at)) observed = at
      else if (tag === LOG_RECORD.attributes) this.#attributes.add(wire, at, to)
      else if (tag === LOG_RECORD.body) this.#body = readAnyValue(wire, at, to)
      else this.#piece(tag, { from: at, to })
    })
    this.time = happened < 0 ? observed : happened
  }

  #piece(tag: number, slice: Slice): void {
    if (tag === LOG_RECORD.traceId) this.traceId = slice
    else if (tag === LOG_RECORD.spanId) this.spanId = slice
    else if (tag === LOG_RECORD.eventName) this.#name = slice
    else if (tag === LOG_RECORD.severityText) this.#severity = slice
  }

  /**
   * The record as a JSON object; undefined if it is no event that says something about a call. The name is the record's,
   * that of an attribute, or its body, whichever is known. Needs a time. @throws BadSpan if a value can't be written
   */
  text(wire: Wire): string | undefined {
    const { buf } = wire
    const attributes = this.#attributes.flat(wire)
    const body = this.#body.kind === EMPTY ? undefined : attributeJson(wire, this.#body, false, false)
    const said = [attributes.get(EVENT_NAME), body].map((json) =>
      json?.startsWith('"') ? String(JSON.parse(json)) : '',
    )
    const name = [utf8At(buf, this.#name.from, this.#name.to), ...said].find(isKnownEvent)
    if (name === undefined) return undefined
    const { from, to } = this.#severity
    const members = new Map([
      ['timestamp', `"${timeText(buf, this.time)}"`],
      ['name', JSON.stringify(name)],
    ])
    if (from < to) members.set('severity', stringJson(buf.subarray(from, to)))
    members.set('attributes', objectText(attributes))
    if (body !== undefined) members.set('body', body)
    return objectText(members)
  }
}

function isZero(buf: Uint8Array, pos: number): boolean {
  for (let i = pos; i < pos + 8; i++) if (buf[i] !== 0) return false
  return true
}
