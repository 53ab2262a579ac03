/** Memory of the walker that is given out piece by piece, and given back only as a whole. */

/** There is no room for another piece. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

export class Arena {
  readonly #memory: Buffer
  readonly #from: number
  readonly #to: number
  #at: number

  constructor(memory: Buffer, from: number, to: number) {
    this.#memory = memory
    this.#from = from
    this.#to = to
    this.#at = from
  }

  /** Bytes given out. */
  get used(): number {
    return this.#at - this.#from
  }

  /** Gives everything back. */
  reset(): void {
    this.#at = this.#from
  }

  /** A piece of `size` bytes, all zero, its address a multiple of 8. @throws NoRoom */
  piece(size: number): number {
    const at = this.#at
    const end = at + ((size + 7) & ~7)
    if (end > this.#to) throw new NoRoom()
    this.#memory.fill(0, at, end)
    this.#at = end
    return at
  }

  /** A piece with these words. */
  words(words: ArrayLike<number>): number {
    const at = this.piece(words.length * 4)
    new Uint32Array(this.#memory.buffer, at, words.length).set(words)
    return at
  }

  /** A piece with these bytes. */
  bytes(bytes: Uint8Array): number {
    const at = this.piece(bytes.length)
    this.#memory.set(bytes, at)
    return at
  }

  /** Where a piece with these bytes begins and ends. */
  slice(bytes: Uint8Array): [from: number, to: number] {
    const from = this.bytes(bytes)
    return [from, from + bytes.length]
  }
}
