/**
 * LowCardinality(String) in ClickHouse's Native format: each text once per block, and a two-byte index per row. For
 * texts shared by many rows.
 */
import { Bytes } from '../../platform/bytes/bytes.js'
import { type Column, doubled, withRoom } from './column.js'

/** Most distinct texts per block; the caller must store further ones elsewhere. */
export const MAX_TEXTS = 1024

/** The format's version, followed by: 16-bit indexes, a dictionary per block. */
const SHARED_DICTIONARIES = 1
const INDEX_16_BITS = 1
const OWN_DICTIONARY = (1 << 9) | (1 << 10)

/** A text that caches its index, so that only its first row in a block needs a look-up. */
export interface Shared {
  readonly text: string
  /** Its index in the dictionary numbered `dictionary`. */
  index: number
  dictionary: number
}

/** Dictionaries created so far in this thread; each gets a number. */
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

  /** Appends `shared`. Returns false, appending nothing, if the block has too many texts. */
  shared(shared: Shared): boolean {
    const index = this.indexOf(shared)
    if (index === undefined) return false
    this.#append(index)
    return true
  }

  /** The index of `shared`, which is added if it is new; undefined if the block has too many texts. */
  indexOf(shared: Shared): number | undefined {
    if (shared.dictionary !== this.#dictionary) {
      const index = this.#number(shared.text)
      if (index === undefined) return undefined
      shared.index = index
      shared.dictionary = this.#dictionary
    }
    return shared.index
  }

  /** Appends values by their indexes. */
  append(indexes: Uint16Array): void {
    this.#indexes = withRoom(this.#indexes, this.count + indexes.length)
    this.#indexes.set(indexes, this.count)
    this.count += indexes.length
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

  /** The empty text has index 0. */
  unset(): void {
    this.#append(0)
  }

  get byteLength(): number {
    return 32 + this.#texts.pos + this.count * 2
  }

  mark(): number {
    return 0
  }

  /** Texts of dropped rows stay in the dictionary; they are few. */
  rewind(count: number): void {
    this.count = count
  }

  /** Starts a new dictionary; only while the column is empty. */
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
