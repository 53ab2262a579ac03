/**
 * LowCardinality(String) in ClickHouse's Native format: each text once a block, and a number of two bytes a row.
 * For texts that many rows share; knows nothing of what they say.
 */
import { Bytes } from '../../platform/bytes/bytes.js'
import { type Column, doubled } from './column.js'

/** Texts a block can have; who has one more must find another place for it. */
export const MAX_TEXTS = 1024

/** The format's version, and what follows it: indexes of 16 bits, a dictionary of the block's own. */
const SHARED_DICTIONARIES = 1
const INDEX_16_BITS = 1
const OWN_DICTIONARY = (1 << 9) | (1 << 10)

/** A text that remembers its number, so that only its first row in a block costs a look-up. */
export interface Shared {
  readonly text: string
  /** Its number in the dictionary that `dictionary` is the number of. */
  index: number
  dictionary: number
}

/** Dictionaries made so far, in all columns of this thread: each has a number of its own. */
let dictionaries = 0

export class LowCardinalityColumn implements Column {
  count = 0
  #dictionary = 0
  #numbers = new Map<string, number>()
  readonly #texts = new Bytes()
  #indexes = new Uint16Array(256)

  constructor() {
    this.forget()
  }

  /** Appends `shared`. Returns false, and appends nothing, if the block has too many texts already. */
  shared(shared: Shared): boolean {
    if (shared.dictionary !== this.#dictionary) {
      const index = this.#number(shared.text)
      if (index === undefined) return false
      shared.index = index
      shared.dictionary = this.#dictionary
    }
    this.#append(shared.index)
    return true
  }

  #number(text: string): number | undefined {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#numbers.size
    if (number === MAX_TEXTS) return undefined
    this.#numbers.set(text, number)
    this.#texts.varint(Buffer.byteLength(text))
    this.#texts.utf8(text)
    return number
  }

  #append(index: number): void {
    if (this.count === this.#indexes.length) this.#indexes = doubled(this.#indexes)
    this.#indexes[this.count++] = index
  }

  /** The empty text has number 0. */
  unset(): void {
    this.#append(0)
  }

  get byteLength(): number {
    return 32 + this.#texts.pos + this.count * 2
  }

  mark(): number {
    return 0
  }

  /** Texts that only dropped rows had stay: they are few. */
  rewind(count: number): void {
    this.count = count
  }

  /** Begins another dictionary; only while the column is empty. */
  forget(): void {
    this.#dictionary = ++dictionaries
    this.#numbers = new Map()
    this.#texts.pos = 0
    this.#number('')
  }

  write(into: Bytes): void {
    uint64(into, SHARED_DICTIONARIES)
    if (this.count === 0) return
    uint64(into, INDEX_16_BITS | OWN_DICTIONARY)
    uint64(into, this.#numbers.size)
    into.copy(this.#texts.buf, 0, this.#texts.pos)
    uint64(into, this.count)
    into.copy(new Uint8Array(this.#indexes.buffer), 0, this.count * 2)
  }
}

function uint64(into: Bytes, value: number): void {
  into.reserve(8)
  into.view.setUint32(into.pos, value, true)
  into.view.setUint32(into.pos + 4, 0, true)
  into.pos += 8
}
