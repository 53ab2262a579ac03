/**
 * The column attributes of a span's call: what was recognised, beside it what no convention owns, and what the user set
 * as the call's over both; or all of the span's attributes if nothing was recognised. Knows no other column.
 */
import type { CallBlock } from '../../domain/calls/block.js'
import { StringColumn } from '../../domain/calls/column.js'
import { hashBytes } from '../../domain/calls/hash.js'
import { indexJson, indexJsonAt } from '../../domain/calls/json-leaves.js'
import { addLeaf, leafHashAt } from '../../domain/calls/leaves.js'
import { OPERATION_KINDS } from '../../domain/conventions/table.js'
import { JsonError } from '../../platform/json/error.js'
import { rawFields } from '../../platform/json/fields.js'
import type { Slice } from '../../platform/json/scan.js'
import { utf8At } from '../../platform/json/text.js'
import type { AttributeLookup } from './attribute-lookup.js'
import type { AttributePlan } from './attribute-plan.js'
import { BadSpan } from './bad.js'
import { userAt } from './inherited-users.js'
import type { Span } from './span.js'

const OPENING = 123
const COMMA = 44
const QUOTE = 34
const SPACE = 32

/** The span itself is read back under this key, so nobody's own value may stand there. */
const DUMP_KEY = 'otel_span'

type Fields = Map<string, Buffer>

const MAX_OPERATION = 64
const KINDS = new Map(
  Object.entries(OPERATION_KINDS).map(([operation, kind]) => [operation, Buffer.from(kind)]),
)

export class StoredAttributes {
  /** Where the model's JSON stands in the buffer of the lookup; empty if the span names none. */
  modelFrom = 0
  modelTo = 0
  /** A hash of the JSON of the id that the provider gave its answer; 0: the span names none. */
  answerHash = 0
  #namesUser = false
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
    this.modelFrom = this.modelTo = this.answerHash = 0
    this.#namesUser = plan.ownUser
    this.#write(plan, wire, recognised)
    const { attributes, has_user } = this.#block
    const { buf, pos, lastLength } = attributes
    if (plan.unclearUser) this.#namesUser = userAt(buf, pos - lastLength, pos) !== undefined
    if (this.#namesUser) has_user.int(1)
  }

  #write(plan: AttributePlan, wire: Buffer, recognised: boolean): void {
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
      const kind = source.operation ? this.#kind() : undefined
      if (source.operation && kind === undefined) continue
      if (name === 'model') this.#keepModel()
      else if (name === 'user_id') this.#namesUser = true
      else if (name === 'response_id') this.#keepAnswer()
      column.byte(separator)
      separator = COMMA
      column.copyView(source.opening, 0, source.opening.byteLength)
      if (kind !== undefined) {
        column.byte(QUOTE)
        column.copy(kind, 0, kind.length)
        column.byte(QUOTE)
        addLeaf(leaves, leafHashAt(source.path, kind, 0, kind.length))
        continue
      }
      column.copyView(lookup.view, lookup.from, lookup.to)
      if (source.rest.length === 0) lookup.addLeaves(leaves, wire, source.leaves)
      else indexJsonAt(leaves, source.path, lookup.buf, lookup.from, lookup.to)
    }
    if (separator === OPENING && !recognised) {
      this.#writeWhole(plan, wire)
      return
    }
    if (plan.own !== undefined) {
      this.#writeOwn(column, plan.own, separator)
      lookup.addLeaves(leaves, wire, plan.own.leaves)
    } else column.utf8(separator === OPENING ? '{}' : '}')
    column.close()
  }

  /** The kind of the operation that was found last: of its name up to a space. */
  #kind(): Buffer | undefined {
    const { buf, from, to } = this.#lookup
    if (buf[from] !== QUOTE) return undefined
    let end = from + 1
    while (end < to - 1 && buf[end] !== SPACE) end++
    return end - from > MAX_OPERATION ? undefined : KINDS.get(utf8At(buf, from + 1, end))
  }

  /** Appends what no convention owns as members of an object, and its end. */
  #writeOwn(out: StringColumn, { nesting }: NonNullable<AttributePlan['own']>, separator: number): void {
    const { literals, ends, values } = nesting
    const { textFroms, textTos } = this.#span.attributes
    const { view } = this.#lookup
    out.byte(separator)
    // In the place of the brace that its own text begins with.
    let from = 1
    for (let piece = 0; piece < values.length; piece++) {
      out.copyView(literals, from, ends[piece]!)
      from = ends[piece]!
      const i = values[piece]!
      out.copyView(view, textFroms[i]!, textTos[i]!)
    }
    out.copyView(literals, from, ends[values.length]!)
  }

  #keepModel(): void {
    this.modelFrom = this.#lookup.from
    this.modelTo = this.#lookup.to
  }

  #keepAnswer(): void {
    const { buf, from, to } = this.#lookup
    this.answerHash = hashBytes(0, buf, from, to)
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
      const source = lookup.first(sources)
      if (source === undefined) continue
      const kind = source.operation ? this.#kind() : undefined
      if (source.operation && kind === undefined) continue
      if (name === 'model') this.#keepModel()
      else if (name === 'response_id') this.#keepAnswer()
      fields.set(name, kind ? Buffer.from(`"${kind}"`) : lookup.buf.subarray(lookup.from, lookup.to))
    }
    for (const [name, value] of plan.own ? this.#ownFields(plan.own) : []) fields.set(name, value)
    for (const [name, value] of merged) fields.set(name, value)
    this.#block.attributes.open()
    this.#writeFields(this.#block.attributes, fields)
  }

  #ownFields(own: NonNullable<AttributePlan['own']>): Fields {
    const text = new StringColumn()
    this.#writeOwn(text, own, OPENING)
    return fieldsAt(text.buf, 0, text.pos)!
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

/** The fields of the JSON text `[from, to)`, if it is an object. @throws BadSpan if it is nested too deep to be read */
function fieldsAt(buf: Buffer, from: number, to: number): Fields | undefined {
  if (buf[from] !== OPENING) return undefined
  const text = buf.subarray(from, to)
  const fields = fieldsOf(text)
  return new Map([...fields].map(([name, slice]) => [name, text.subarray(slice.from, slice.to)]))
}

/** Values may be as deep as JSON may be; with the keys above them they are deeper. */
function fieldsOf(text: Buffer): ReadonlyMap<string, Slice> {
  try {
    return rawFields(text, Number.POSITIVE_INFINITY)!
  } catch (error) {
    if (error instanceof JsonError) throw new BadSpan(`in its attributes ${error.message}`)
    throw error
  }
}
