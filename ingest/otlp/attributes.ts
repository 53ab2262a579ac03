/**
 * The attributes of one message (a span, an event, a link, a resource): read from the wire into arrays of numbers, then
 * written as nested JSON text. No object an attribute. Used again for the next message.
 */
import type { StringColumn } from '../../domain/calls/column.js'
import { utf8At } from '../../platform/json/text.js'
import { ANY_VALUE, KEY_VALUE } from '../../proto/otlp/tags.js'
import { BadSpan } from './bad.js'
import { KeyTrie, type Shape } from './key-trie.js'
import { MAX_ATTRIBUTES } from './limits.js'
import type { Nesting } from './nesting.js'
import { type Found, Pair, writeAttribute } from './value.js'
import type { Wire } from './wire.js'

/** Longer sequences of keys are compiled each time. */
const MAX_REMEMBERED = 256
/** What is compiled for keys takes this much, nearly: as such, for each key, for each of their bytes. */
const COMPILED_BYTES = 4096
const BYTES_A_KEY = 512
const BYTES_A_BYTE = 4

/** Makes what is wanted for keys in their order. It tells `grow` of bytes that this comes to take later on. */
export type Compile<T> = (keys: string[], grow: (bytes: number) => void) => T

export class Attributes<T> {
  count = 0
  /** By attribute: the kind of its value, and where it stands on the wire. */
  kinds = new Uint8Array(64)
  froms = new Int32Array(64)
  tos = new Int32Array(64)
  /** By attribute, after `write`: where its JSON text stands, and 1 if that is a plain text as on the wire. */
  textFroms = new Int32Array(64)
  textTos = new Int32Array(64)
  plain = new Uint8Array(64)
  /** By attribute: 1 once its leaves are indexed. */
  indexed = new Uint8Array(64)
  /** After `write`: where each piece's literal begins; the last one ends at `textEnd`. */
  starts = new Int32Array(65)
  #keyFroms = new Int32Array(64)
  #keyTos = new Int32Array(64)
  readonly #shapes = new KeyTrie<T>()
  #shape: Shape<T> | undefined = this.#shapes.root
  readonly #compile: Compile<T>
  readonly #pair = new Pair()
  #tooMany = false

  /** `compile` makes what `compiled` gives for the keys of a message. */
  constructor(compile: Compile<T>) {
    this.#compile = compile
  }

  /** Forgets the message before. */
  clear(): void {
    this.count = 0
    this.#tooMany = false
    this.#shape = this.#shapes.root
  }

  /** Reads the KeyValue message `[from, end)`. */
  add(wire: Wire, from: number, end: number): void {
    const i = this.count
    if (i === this.kinds.length) {
      if (i >= MAX_ATTRIBUTES) {
        this.#tooMany = true
        return
      }
      this.#grow()
    }
    if (!this.#addPlainText(wire.buf, from, end, i)) {
      const pair = this.#pair
      pair.read(wire, from, end)
      this.#keyFroms[i] = pair.keyFrom
      this.#keyTos[i] = pair.keyTo
      this.#setValue(i, pair.value)
    }
    this.count = i + 1
    const shape = i < MAX_REMEMBERED ? this.#shape : undefined
    this.#shape = shape && this.#shapes.next(shape, wire, this.#keyFroms[i]!, this.#keyTos[i]!)
  }

  #setValue(i: number, { kind, from, to }: Found): void {
    this.kinds[i] = kind
    this.froms[i] = from
    this.tos[i] = to
  }

  /** The form nearly all have: a short key, then a value that is one field, nothing else. */
  #addPlainText(buf: Buffer, from: number, end: number, i: number): boolean {
    if (end - from < 4 || buf[from] !== KEY_VALUE.key) return false
    const keyLength = buf[from + 1]!
    const keyFrom = from + 2
    const keyTo = keyFrom + keyLength
    if (keyLength > 127 || keyTo + 4 > end || buf[keyTo] !== KEY_VALUE.value) return false
    let at = keyTo + 1
    let length = buf[at++]!
    if (length > 127) {
      const high = buf[at++]!
      if (high > 127) return false
      length = (length & 127) | (high << 7)
    }
    if (at + length !== end || length === 0) return false
    const kind = buf[at++]!
    if (kind === ANY_VALUE.stringValue) {
      let size = buf[at++]!
      if (size > 127) {
        const high = buf[at++]!
        if (high > 127) return false
        size = (size & 127) | (high << 7)
      }
      if (at + size !== end) return false
    } else if (kind === ANY_VALUE.intValue || kind === ANY_VALUE.boolValue) {
      if (at + 1 !== end || buf[at]! > 127) return false
    } else if (kind !== ANY_VALUE.doubleValue || at + 8 !== end) return false
    this.#keyFroms[i] = keyFrom
    this.#keyTos[i] = keyTo
    this.kinds[i] = kind
    this.froms[i] = at
    this.tos[i] = end
    return true
  }

  /** What `compile` made for the keys read, now or when they came before. @throws BadSpan if they are too many */
  compiled(buf: Buffer): T {
    if (this.#tooMany) throw new BadSpan(`there are more than ${MAX_ATTRIBUTES} attributes`)
    const shape = this.#shape
    if (shape?.compiled !== undefined) return shape.compiled
    const keys: string[] = []
    for (let i = 0; i < this.count; i++) keys.push(utf8At(buf, this.#keyFroms[i]!, this.#keyTos[i]!))
    const shapes = this.#shapes
    if (shape === undefined) return this.#compile(keys, () => undefined)
    const compiled = this.#compile(keys, (bytes) => shapes.grow(bytes))
    const text = keys.reduce((sum, key) => sum + key.length, 0)
    shapes.grow(COMPILED_BYTES + BYTES_A_KEY * keys.length + BYTES_A_BYTE * text)
    shape.compiled = compiled
    return compiled
  }

  /** Appends the attributes as one JSON object. */
  write(out: StringColumn, wire: Wire, nesting: Nesting): void {
    const { literals, ends, values, secret, isJson } = nesting
    const { starts, textFroms, textTos, plain, indexed, kinds, froms, tos } = this
    const pieces = values.length
    let from = 0
    for (let piece = 0; piece <= pieces; piece++) {
      const to = ends[piece]!
      starts[piece] = out.pos
      out.copyView(literals, from, to)
      from = to
      if (piece === pieces) break
      const i = values[piece]!
      textFroms[i] = out.pos
      const asIs = writeAttribute(out, wire, kinds[i]!, froms[i]!, tos[i]!, secret[i] === 1, isJson[i] === 1)
      plain[i] = asIs ? 1 : 0
      indexed[i] = 0
      textTos[i] = out.pos
    }
  }

  #grow(): void {
    const size = Math.min(this.kinds.length * 2, MAX_ATTRIBUTES)
    const bytes = (old: Uint8Array) => {
      const larger = new Uint8Array(size)
      larger.set(old)
      return larger
    }
    const ints = (old: Int32Array, room = size) => {
      const larger = new Int32Array(room)
      larger.set(old)
      return larger
    }
    this.kinds = bytes(this.kinds)
    this.plain = bytes(this.plain)
    this.indexed = bytes(this.indexed)
    this.froms = ints(this.froms)
    this.tos = ints(this.tos)
    this.textFroms = ints(this.textFroms)
    this.textTos = ints(this.textTos)
    this.starts = ints(this.starts, size + 1)
    this.#keyFroms = ints(this.#keyFroms)
    this.#keyTos = ints(this.#keyTos)
  }
}
