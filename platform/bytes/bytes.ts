/** A growable byte buffer with one write position, for columns, JSON text and answers. */

/** Below this many bytes a loop is faster than the runtime's copy: byte by byte, or by words of four bytes. */
const SHORT = 24
const SHORT_IN_WORDS = 96

export class Bytes {
  buf: Buffer
  /** A view of the same memory, for unaligned words. */
  view: DataView
  pos = 0

  /** Starts with `capacity` bytes of its own memory, never a slice of a pool. */
  constructor(capacity = 1024, memory: Buffer = Buffer.allocUnsafeSlow(capacity)) {
    this.buf = memory
    this.view = viewOf(memory)
  }

  /** Starts with `memory`, overwriting all of it. */
  static over(memory: ArrayBufferLike): Bytes {
    return new Bytes(memory.byteLength, Buffer.from(memory))
  }

  /** Replaces the memory with `capacity` fresh bytes. */
  protected replaceMemory(capacity: number): void {
    this.buf = Buffer.allocUnsafeSlow(capacity)
    this.view = viewOf(this.buf)
    this.pos = 0
  }

  /** Makes room for `count` more bytes; may replace `buf`. */
  reserve(count: number): void {
    const need = this.pos + count
    if (need > this.buf.length) this.#grow(need)
  }

  #grow(need: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(need, this.buf.length * 2))
    larger.set(this.buf.subarray(0, this.pos))
    this.buf = larger
    this.view = viewOf(larger)
  }

  /** Appends one byte. */
  byte(value: number): void {
    this.reserve(1)
    this.buf[this.pos++] = value
  }

  /** Appends `source[from, to)`. */
  copy(source: Uint8Array, from: number, to: number): void {
    const count = to - from
    this.reserve(count)
    const { buf, pos } = this
    if (count < SHORT) for (let i = 0; i < count; i++) buf[pos + i] = source[from + i]!
    // Equally fast for shared memory, where `set` copies by words or bytes.
    else buf.fill(new Uint8Array(source.buffer, source.byteOffset + from, count), pos, pos + count)
    this.pos = pos + count
  }

  /** Like {@link copy} for a view (see `viewOf`): four times as fast for a line or less. */
  copyView(source: DataView, from: number, to: number): void {
    const count = to - from
    this.reserve(count)
    const { pos } = this
    if (count > SHORT_IN_WORDS) {
      this.buf.set(new Uint8Array(source.buffer, source.byteOffset + from, count), pos)
    } else {
      const { view } = this
      const shift = pos - from
      const words = to - 3
      let i = from
      for (; i < words; i += 4) view.setInt32(i + shift, source.getInt32(i, true), true)
      for (; i < to; i++) view.setUint8(i + shift, source.getUint8(i))
    }
    this.pos = pos + count
  }

  /** Appends `text` as UTF-8; a lone surrogate becomes U+FFFD. */
  utf8(text: string): void {
    const count = text.length
    this.reserve(count * 3)
    const { buf, pos } = this
    if (count < SHORT) {
      let i = 0
      for (; i < count; i++) {
        const unit = text.charCodeAt(i)
        if (unit > 127) break
        buf[pos + i] = unit
      }
      if (i === count) {
        this.pos = pos + count
        return
      }
    }
    this.pos = pos + buf.write(text, pos, 'utf8')
  }

  /** Appends `value` (an integer in 0…2^53) as a LEB128 varint. */
  varint(value: number): void {
    this.reserve(8)
    let rest = value
    while (rest > 127) {
      this.buf[this.pos++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    this.buf[this.pos++] = rest
  }
}

/** A view of the memory of `bytes`. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
