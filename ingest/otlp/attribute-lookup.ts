/**
 * What a target of a plan finds in one span: the first of its sources that has a value, as a piece of the nested
 * JSON text of its attributes. Used again for the next span.
 */

import type { StringColumn, UInt32ArrayColumn } from '../../domain/calls/column.js'
import { indexJsonAt } from '../../domain/calls/json-leaves.js'
import { addLeaf, LEAF_TEXT_LIMIT, leafHashAt } from '../../domain/calls/leaves.js'
import { lookup } from '../../platform/json/fields.js'
import { unescapedAt, utf8At } from '../../platform/json/text.js'
import { ANY_VALUE } from '../../proto/otlp/tags.js'
import type { AttributePlan, Source } from './attribute-plan.js'
import type { Attributes } from './attributes.js'
import { MAX_SEARCHED } from './limits.js'
import { EMPTY } from './value.js'

const QUOTE = 34

const AMOUNT = /^(0|[1-9]\d*)(\.\d+)?(e[+-]?\d{1,2})?$/i
const MAX_AMOUNT = 40

/** How an answer begins that LlamaIndex printed. */
const PRINTED = '"assistant: '
/** How constructors that LangChain wrote as JSON begin, and objects that Python printed. */
const DUMP = /^(?:"lc":1,"type":"constructor"|[A-Za-z_]\w*\(\w+=)/
/** Bytes of a value in which a dump would show. */
const MAX_LOOKED_AT = 256

function isDump(buf: Buffer, from: number, to: number): boolean {
  const end = Math.min(to, from + MAX_LOOKED_AT)
  if (buf[from] === QUOTE && buf.toString('latin1', from, from + PRINTED.length) === PRINTED) return true
  for (let i = from; i < end; i++) {
    const byte = buf[i]!
    // `"lc":1`, or the name before a bracket.
    if (byte === QUOTE && buf[i + 1] === 108 && buf[i + 2] === 99) {
      if (DUMP.test(buf.toString('latin1', i, Math.min(to, i + 32)))) return true
    } else if (byte === 40) {
      let name = i
      while (name > from && isOfName(buf[name - 1]!)) name--
      if (name < i && DUMP.test(buf.toString('latin1', name, Math.min(to, i + MAX_LOOKED_AT)))) return true
    }
  }
  return false
}

/** A letter, a digit or `_`. */
function isOfName(byte: number): boolean {
  return (
    (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || byte === 95 || (byte >= 97 && byte <= 122)
  )
}

export class AttributeLookup {
  /** Where the value found last stands in the column's buffer. */
  from = 0
  to = 0
  readonly #attributes: Attributes<AttributePlan>
  readonly #column: StringColumn

  constructor(attributes: Attributes<AttributePlan>, column: StringColumn) {
    this.#attributes = attributes
    this.#column = column
  }

  /** The buffer that `from` and `to` are in. */
  get buf(): Buffer {
    return this.#column.buf
  }

  /** The same memory, for words. */
  get view(): DataView {
    return this.#column.view
  }

  /** The first source with a value that is neither null nor an empty text. */
  first(sources: readonly Source[]): Source | undefined {
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i]!
      if (this.#has(source) && (source.cleaner.length === 0 || !this.#isDumped(source))) return source
    }
    return undefined
  }

  /** Whether the value just found is a dump of a program's objects, or a part of it, and another source has it clean. */
  #isDumped(source: Source): boolean {
    const { from, to } = this
    const isPassed = (source.text && this.buf[from] === QUOTE) || isDump(this.buf, from, to)
    if (isPassed && this.first(source.cleaner) !== undefined) return true
    this.from = from
    this.to = to
    return false
  }

  /** The first source with a value other than null, an empty text, too. */
  set(sources: readonly Source[]): Source | undefined {
    for (let i = 0; i < sources.length; i++) if (this.#isThere(sources[i]!)) return sources[i]
    return undefined
  }

  #has(source: Source): boolean {
    return this.#isThere(source) && !(this.to - this.from === 2 && this.buf[this.from] === QUOTE)
  }

  #isThere(source: Source): boolean {
    const attributes = this.#attributes
    const i = source.attribute
    if (i < 0) {
      this.from = attributes.starts[source.start.piece]! + source.start.offset
      this.to = attributes.starts[source.end.piece]! + source.end.offset
      return true
    }
    this.from = attributes.textFroms[i]!
    this.to = attributes.textTos[i]!
    const { buf } = this
    if (source.rest.length > 0) {
      const first = buf[this.from]
      if ((first !== 123 && first !== 91) || this.to - this.from > MAX_SEARCHED) return false
      const inside = lookup(buf, { from: this.from, to: this.to }, source.rest)
      if (inside === undefined) return false
      this.from = inside.from
      this.to = inside.to
    }
    return attributes.kinds[i] !== EMPTY && buf[this.from] !== 110
  }

  /**
   * The first value as text: a string's own, a number in its shortest form, `true` or `false`; undefined if there is
   * none, or it is an object or a list.
   */
  text(sources: readonly Source[]): string | undefined {
    return sources.length === 0 || this.first(sources) === undefined ? undefined : this.asText()
  }

  /** The same of the value found last. */
  asText(): string | undefined {
    return textOf(this.buf, this.from, this.to)
  }

  /** The value found last as a count: a whole number, in a number or a text; undefined if it is none. */
  asCount(): number | undefined {
    const { buf, from, to } = this
    const quoted = buf[from] === QUOTE
    const value = countAt(buf, quoted ? from + 1 : from, quoted ? to - 1 : to)
    return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined
  }

  /** The first value as an amount, the text of a JSON number; undefined if it is none. */
  amount(sources: readonly Source[]): string | undefined {
    const source = this.first(sources)
    const text = source && this.asText()
    if (text === undefined || text.length > MAX_AMOUNT || !AMOUNT.test(text)) return undefined
    return source!.positive && Number(text) === 0 ? undefined : text
  }

  /** Adds the leaves that a source has, with the hashes of their paths. */
  addLeaves(into: UInt32ArrayColumn, wire: Uint8Array, leaves: Source['leaves']): void {
    for (let i = 0; i < leaves.length; i++) this.#addLeaf(into, wire, leaves[i]!.attribute, leaves[i]!.path)
  }

  /** Adds those leaves that no column has yet. */
  addOtherLeaves(into: UInt32ArrayColumn, wire: Uint8Array, leaves: Source['leaves']): void {
    const { indexed } = this.#attributes
    for (let i = 0; i < leaves.length; i++) {
      const { attribute, path } = leaves[i]!
      if (indexed[attribute] === 0) this.#addLeaf(into, wire, attribute, path)
    }
  }

  /** Adds the leaves of attribute `i`, whose path hashes to `path`. */
  #addLeaf(into: UInt32ArrayColumn, wire: Uint8Array, i: number, path: number): void {
    const attributes = this.#attributes
    attributes.indexed[i] = 1
    const kind = attributes.kinds[i]!
    if (attributes.plain[i] === 1) {
      const from = attributes.froms[i]!
      const to = attributes.tos[i]!
      if (to > from && to - from <= LEAF_TEXT_LIMIT) addLeaf(into, leafHashAt(path, wire, from, to))
    } else if (kind !== ANY_VALUE.intValue && kind !== EMPTY) {
      indexJsonAt(into, path, this.buf, attributes.textFroms[i]!, attributes.textTos[i]!)
    }
  }
}

/** The JSON value `[from, to)` as text; undefined if it is an object or a list. */
export function textOf(buf: Buffer, from: number, to: number): string | undefined {
  const first = buf[from]
  if (first === QUOTE) return unescapedAt(buf, from + 1, to - 1)
  if (first === 123 || first === 91) return undefined
  const text = utf8At(buf, from, to)
  return text.includes('.') ? String(Number(text)) : text
}

/** The decimal number `[from, to)`, its fraction dropped; NaN if it is none. */
function countAt(buf: Uint8Array, from: number, to: number): number {
  let value = 0
  if (to - from > 15) return slowCount(buf, from, to)
  for (let i = from; i < to; i++) {
    const digit = buf[i]! - 48
    if (digit < 0 || digit > 9) return slowCount(buf, from, to)
    value = value * 10 + digit
  }
  return from === to ? Number.NaN : value
}

function slowCount(buf: Uint8Array, from: number, to: number): number {
  const text = utf8At(buf, from, Math.min(to, from + 40))
  return /^-?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(text) ? Math.trunc(Number(text)) : Number.NaN
}
