/** Reads rows in ClickHouse's RowBinary, value by value, without building rows. */
import { viewOf } from '../bytes/bytes.js'

/** Iterates over rows: the offsets of the values, by column. */
export class RowBinaryCursor {
  bytes: Buffer = Buffer.alloc(0)
  /** the same memory */
  view: DataView = viewOf(this.bytes)
  readonly from: Int32Array
  /** ends of texts */
  readonly to: Int32Array
  /** the bytes needed at least to read the truncated row */
  needed = 0

  /** @param sizes bytes of a value of each column; 0: a text */
  constructor(private readonly sizes: readonly number[]) {
    this.from = new Int32Array(sizes.length)
    this.to = new Int32Array(sizes.length)
  }

  /** Goes through the rows of `bytes`, a whole answer; yields the offset of each. @throws if the last one is truncated */
  *rows(bytes: Buffer): Generator<number> {
    this.open(bytes)
    for (let at = 0; at < bytes.length; ) {
      const next = this.read(at)
      if (next < 0) throw new Error('the store cut a row off')
      yield at
      at = next
    }
  }

  open(bytes: Buffer): void {
    this.bytes = bytes
    this.view = viewOf(bytes)
  }

  /** Reads the row at `at`; returns the offset after it, or -1 if it is truncated. */
  read(at: number): number {
    const { bytes, from, to, sizes } = this
    const end = bytes.length
    let pos = at
    for (let i = 0; i < sizes.length; i++) {
      let size = sizes[i]!
      if (size === 0) {
        for (let shift = 1; ; shift *= 128) {
          if (pos >= end) return this.cutOff(pos + 1)
          const byte = bytes[pos++]!
          size += (byte & 127) * shift
          if (byte < 128) break
        }
      }
      from[i] = pos
      pos += size
      if (pos > end) return this.cutOff(pos)
      to[i] = pos
    }
    return pos
  }

  private cutOff(needed: number): number {
    this.needed = needed
    return -1
  }

  uint8(index: number): number {
    return this.bytes[this.from[index]!]!
  }

  uint32(index: number): number {
    return this.view.getUint32(this.from[index]!, true)
  }

  int64(index: number): bigint {
    return this.view.getBigInt64(this.from[index]!, true)
  }

  /** A time in µs or a count: 64 bits within a double's range. */
  whole(index: number): number {
    const at = this.from[index]!
    return this.view.getInt32(at + 4, true) * 0x100000000 + this.view.getUint32(at, true)
  }

  text(index: number): Buffer {
    return this.bytes.subarray(this.from[index]!, this.to[index]!)
  }
}
