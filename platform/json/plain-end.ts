/** Finds the end of the plain bytes of a JSON string, a word at a time. */

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Bytes checked one by one before switching to words. */
const SHORT = 12
/** Don't keep larger memory for the next text, unless it is shared and so kept by others anyway. */
const HELD = 4 << 20

/** 1: a byte that needs no special treatment in a string. */
const plain = new Uint8Array(256).fill(1, 0x20)
plain[QUOTE] = 0
plain[BACKSLASH] = 0

/** Readers of different memory should have one each: a change of memory makes a new view. */
export class PlainEnd {
  #memory: ArrayBufferLike | undefined
  #view = new DataView(new ArrayBuffer(0) as ArrayBufferLike)

  /** The first offset in `[p, to)` of a quote, a backslash or a control character; `to` if there is none. */
  find(buf: Uint8Array, p: number, to: number): number {
    const near = p + SHORT
    while (p < to && plain[buf[p]!] === 1) {
      p++
      if (p === near) return this.#far(buf, p, to)
    }
    return p
  }

  #far(buf: Uint8Array, p: number, to: number): number {
    const view = this.#viewOf(buf.buffer)
    const base = buf.byteOffset
    for (const last = to - 4; p <= last; p += 4) {
      const word = view.getInt32(base + p, true)
      // For such a byte the subtraction borrows into the high bit, which non-ASCII bytes set too.
      const flags =
        (word - 0x20202020) | ((word ^ 0x22222222) - 0x01010101) | ((word ^ 0x5c5c5c5c) - 0x01010101)
      if ((flags & 0x80808080) !== 0 && !isPlainWord(buf, p)) break
    }
    while (p < to && plain[buf[p]!] === 1) p++
    return p
  }

  #viewOf(memory: ArrayBufferLike): DataView<ArrayBufferLike> {
    if (memory === this.#memory) return this.#view
    const view = new DataView(memory)
    if (memory instanceof SharedArrayBuffer || memory.byteLength <= HELD) {
      this.#memory = memory
      this.#view = view
    }
    return view
  }
}

function isPlainWord(buf: Uint8Array, p: number): boolean {
  return (plain[buf[p]!]! & plain[buf[p + 1]!]! & plain[buf[p + 2]!]! & plain[buf[p + 3]!]!) === 1
}
