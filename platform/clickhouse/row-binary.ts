/** Writes rows in ClickHouse's RowBinary format, value by value. */
import { Bytes } from '../bytes/bytes.js'

export class RowBinary extends Bytes {
  /** String, including LowCardinality. */
  text(value: string): void {
    const size = Buffer.byteLength(value)
    this.varint(size)
    this.reserve(size)
    this.pos += this.buf.write(value, this.pos, 'utf8')
  }

  /** An ASCII string. */
  ascii(value: string): void {
    this.varint(value.length)
    this.reserve(value.length)
    this.pos += this.buf.write(value, this.pos, 'latin1')
  }

  /** A string given as bytes. */
  blob(value: Uint8Array, from = 0, to = value.length): void {
    this.varint(to - from)
    this.copy(value, from, to)
  }

  uint32(value: number): void {
    this.reserve(4)
    this.pos = this.buf.writeUInt32LE(value, this.pos)
  }

  uint64(value: number): void {
    this.reserve(8)
    this.buf.writeUInt32LE(value % 2 ** 32, this.pos)
    this.buf.writeUInt32LE(Math.floor(value / 2 ** 32), this.pos + 4)
    this.pos += 8
  }

  /** The bytes written so far. */
  bytes(): Uint8Array {
    return this.buf.subarray(0, this.pos)
  }
}
