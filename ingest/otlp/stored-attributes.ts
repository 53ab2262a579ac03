/**
 * The column attributes of a span's call: what was recognised, the user's own merged over it, or all of the span's
 * attributes if nothing was. Knows no other column.
 */
import type { CallBlock } from '../../domain/calls/block.js'
import type { StringColumn } from '../../domain/calls/column.js'
import { indexJson, indexJsonAt } from '../../domain/calls/json-leaves.js'
import { rawFields } from '../../platform/json/fields.js'
import type { AttributeLookup } from './attribute-lookup.js'
import type { AttributePlan } from './attribute-plan.js'
import type { Span } from './span.js'

const OPENING = 123
const COMMA = 44

/** The span itself is read back under this key, so nobody's own value may stand there. */
const DUMP_KEY = 'otel_span'

type Fields = Map<string, Buffer>

export class StoredAttributes {
  /** Where the model's JSON stands in the buffer of the lookup; empty if the span names none. */
  modelFrom = 0
  modelTo = 0
  readonly #block: CallBlock
  readonly #span: Span
  readonly #lookup: AttributeLookup

  constructor(block: CallBlock, span: Span, lookup: AttributeLookup) {
    this.#block = block
    this.#span = span
    this.#lookup = lookup
  }

  /** Appends the column's value and its leaves. `recognised`: something of the span went elsewhere. */
  write(plan: AttributePlan, wire: Buffer, recognised: boolean): void {
    this.modelFrom = this.modelTo = 0
    const merged = plan.hasFields ? this.#merged(plan) : undefined
    if (merged !== undefined) {
      this.#writeMerged(plan, merged)
      return
    }
    const lookup = this.#lookup
    const { attributes: column, leaves } = this.#block
    column.open()
    let separator = OPENING
    for (const { name, sources } of plan.attributes) {
      const source = lookup.first(sources)
      if (source === undefined) continue
      if (name === 'model') this.#keepModel()
      column.byte(separator)
      separator = COMMA
      column.copyView(source.opening, 0, source.opening.byteLength)
      column.copyView(lookup.view, lookup.from, lookup.to)
      if (source.rest.length === 0) lookup.addLeaves(leaves, wire, source.leaves)
      else indexJsonAt(leaves, source.path, lookup.buf, lookup.from, lookup.to)
    }
    if (separator === OPENING && !recognised) this.#writeWhole(plan, wire)
    else {
      column.utf8(separator === OPENING ? '{}' : '}')
      column.close()
    }
  }

  #keepModel(): void {
    this.modelFrom = this.#lookup.from
    this.modelTo = this.#lookup.to
  }

  /** All the span's attributes; the column is open. */
  #writeWhole(plan: AttributePlan, wire: Buffer): void {
    const { attributes: column, leaves } = this.#block
    const { starts } = this.#span.attributes
    const { ends, values } = plan.nesting
    const last = values.length
    const from = starts[0]!
    const to = starts[last]! + ends[last]! - (last === 0 ? 0 : ends[last - 1]!)
    if (plan.hasOtelSpan) {
      this.#writeFields(column, fieldsAt(this.#lookup.buf, from, to)!)
      return
    }
    column.copyView(this.#lookup.view, from, to)
    column.close()
    this.#lookup.addLeaves(leaves, wire, plan.leaves)
  }

  /** The user's own attributes, if there is an object of them. */
  #merged(plan: AttributePlan): Fields | undefined {
    const lookup = this.#lookup
    if (lookup.first(plan.fields.merged) === undefined) return undefined
    return fieldsAt(lookup.buf, lookup.from, lookup.to)
  }

  #writeMerged(plan: AttributePlan, merged: Fields): void {
    const lookup = this.#lookup
    const fields: Fields = new Map()
    for (const { name, sources } of plan.attributes) {
      if (lookup.first(sources) === undefined) continue
      if (name === 'model') this.#keepModel()
      fields.set(name, lookup.buf.subarray(lookup.from, lookup.to))
    }
    for (const [name, value] of merged) fields.set(name, value)
    this.#block.attributes.open()
    this.#writeFields(this.#block.attributes, fields)
  }

  /** Writes `fields` as the value of the open column, and their leaves. */
  #writeFields(column: StringColumn, fields: Fields): void {
    fields.delete(DUMP_KEY)
    let separator = '{'
    for (const [name, value] of fields) {
      column.utf8(`${separator}${JSON.stringify(name)}:`)
      column.copy(value, 0, value.length)
      separator = ','
    }
    column.utf8(separator === '{' ? '{}' : '}')
    const length = column.close()
    indexJson(this.#block.leaves, 'attributes', column.buf, column.pos - length, column.pos)
  }
}

/** The fields of the JSON text `[from, to)`, if it is an object. */
function fieldsAt(buf: Buffer, from: number, to: number): Fields | undefined {
  if (buf[from] !== OPENING) return undefined
  const text = buf.subarray(from, to)
  const fields = rawFields(text, Number.POSITIVE_INFINITY)!
  return new Map([...fields].map(([name, slice]) => [name, text.subarray(slice.from, slice.to)]))
}
