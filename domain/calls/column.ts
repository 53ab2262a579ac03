/**
 * Columns in ClickHouse's Native format, each a growable byte array that values are appended to, without an object per
 * row. A column counts its values; the caller keeps columns equally long (`CallBlock.endRow` does). Typed arrays write
 * the integers, so the machine must be little-endian, as all that Node supports well are.
 */
import { Bytes } from '../../platform/bytes/bytes.js'

/** The interface of a block's columns. */
export interface Column {
  /** Values so far. */
  readonly count: number
  /** Bytes that `write` will append. */
  readonly byteLength: number
  /** Appends the value that means "unset". */
  unset(): void
  /** The current position; pass it to `rewind` to drop later values. */
  mark(): number
  rewind(count: number, mark: number): void
  /** Appends the values in Native encoding. */
  write(into: Bytes): void
}

/** Text memory beyond this is not kept for the next block. */
const KEPT = 64 << 20

/** Space reserved before a text that is written in place: a varint of three bytes counts up to 2 MiB. */
const PREFIX = 3

/** String: a varint length and the bytes, value after value. */
export class StringColumn extends Bytes implements Column {
  count = 0
  /** Bytes of the value appended last, without its length prefix. */
  lastLength = 0
  #opened = 0

  constructor() {
    super(4096)
  }

  /** Appends `value`, UTF-8. */
  text(value: string): void {
    const length = value.length
    if (length < 43) {
      // At most 129 bytes; usually ASCII, whose length is known in advance.
      this.reserve(length * 3 + 2)
      const { buf } = this
      const start = this.pos + 1
      let i = 0
      for (; i < length; i++) {
        const unit = value.charCodeAt(i)
        if (unit > 127) break
        buf[start + i] = unit
      }
      if (i === length) {
        buf[start - 1] = length
        this.pos = start + length
        this.lastLength = length
        this.count++
        return
      }
    }
    const size = Buffer.byteLength(value)
    this.varint(size)
    this.utf8(value)
    this.lastLength = size
    this.count++
  }

  /** Appends `source[from, to)`, which must be UTF-8. */
  bytes(source: Uint8Array, from: number, to: number): void {
    this.varint(to - from)
    this.copy(source, from, to)
    this.lastLength = to - from
    this.count++
  }

  /** Like {@link bytes}, for a view of memory. */
  bytesOf(source: DataView, from: number, to: number): void {
    this.varint(to - from)
    this.copyView(source, from, to)
    this.lastLength = to - from
    this.count++
  }

  /** Starts a value that is written in place (`copy`, `utf8`, `buf` and `pos`) until `close`. */
  open(): void {
    this.reserve(PREFIX)
    this.#opened = this.pos
    this.pos += PREFIX
  }

  /** Ends the value started with `open`; returns its length in bytes. */
  close(): number {
    const start = this.#opened
    const length = this.pos - start - PREFIX
    if (length < 1 << 21) {
      // The engine accepts a padded varint, which avoids moving the text.
      const { buf } = this
      buf[start] = (length & 127) | 128
      buf[start + 1] = ((length >> 7) & 127) | 128
      buf[start + 2] = length >> 14
    } else this.#closeLong(start, length)
    this.lastLength = length
    this.count++
    return length
  }

  #closeLong(start: number, length: number): void {
    this.reserve(8)
    const prefix = new Bytes(8)
    prefix.varint(length)
    this.buf.copyWithin(start + prefix.pos, start + PREFIX, start + PREFIX + length)
    this.pos = start
    this.copy(prefix.buf, 0, prefix.pos)
    this.pos += length
  }

  unset(): void {
    this.byte(0)
    this.lastLength = 0
    this.count++
  }

  /** Appends `rows` values that stand in `source[from, to)` as this class writes them. */
  append(source: Uint8Array, from: number, to: number, rows: number): void {
    this.copy(source, from, to)
    this.count += rows
  }

  /** The lengths in bytes of the values from `mark` on. */
  lengthsFrom(mark: number): number[] {
    const { buf } = this
    const lengths: number[] = []
    for (let at = mark; at < this.pos; ) {
      let length = buf[at]! & 127
      for (let shift = 7; buf[at++]! > 127; shift += 7) length += (buf[at]! & 127) * 2 ** shift
      lengths.push(length)
      at += length
    }
    return lengths
  }

  get byteLength(): number {
    return this.pos
  }

  mark(): number {
    return this.pos
  }

  rewind(count: number, mark: number): void {
    this.count = count
    this.pos = mark
  }

  /** Releases memory after an unusually large block; only while the column is empty. */
  shrink(kept = KEPT): void {
    if (this.buf.length > kept) this.replaceMemory(kept)
  }

  write(into: Bytes): void {
    into.copy(this.buf, 0, this.pos)
  }
}

/** Unsigned or signed integers of `width` 1 or 4 bytes; `absent` is what `unset` appends. */
export class IntColumn implements Column {
  count = 0
  readonly width: 1 | 4
  readonly #absent: number
  #values: Uint8Array | Uint32Array

  constructor(width: 1 | 4, absent = 0) {
    this.width = width
    this.#absent = absent
    this.#values = width === 1 ? new Uint8Array(256) : new Uint32Array(256)
  }

  /** Appends `value`, an unsigned integer of the column's width. */
  int(value: number): void {
    if (this.count === this.#values.length) this.#values = doubled(this.#values)
    this.#values[this.count++] = value
  }

  /** The values from the one at `index` on; not copied. */
  from(index: number): Uint8Array | Uint32Array {
    return this.#values.subarray(index, this.count)
  }

  /** Appends all of `values`. */
  append(values: ArrayLike<number>): void {
    this.#values = withRoom(this.#values, this.count + values.length)
    this.#values.set(values, this.count)
    this.count += values.length
  }

  unset(): void {
    this.int(this.#absent)
  }

  get byteLength(): number {
    return this.count * this.#values.BYTES_PER_ELEMENT
  }

  mark(): number {
    return 0
  }

  rewind(count: number): void {
    this.count = count
  }

  write(into: Bytes): void {
    into.copy(bytesOf(this.#values), 0, this.byteLength)
  }
}

/** 64-bit integers, signed or not, and times; `unset` appends 0 or, with `absent`, the smallest Int64. */
export class Int64Column implements Column {
  count = 0
  readonly #absentHigh: number
  #values = new Uint32Array(512)

  constructor(absent: 'zero' | 'smallest' = 'zero') {
    this.#absentHigh = absent === 'zero' ? 0 : 0x80000000
  }

  /** Appends `value`, a safe integer (for a time: µs since the epoch). */
  number(value: number): void {
    const high = Math.floor(value / 0x100000000)
    this.halves(value - high * 0x100000000, high)
  }

  /** Appends the 64 bits `high · 2^32 + low`, each given as any 32-bit integer. */
  halves(low: number, high: number): void {
    const at = this.count * 2
    if (at === this.#values.length) this.#values = doubled(this.#values)
    this.#values[at] = low
    this.#values[at + 1] = high
    this.count++
  }

  /** The value at `index`, of a column without negative ones. */
  at(index: number): number {
    return this.#values[index * 2]! + this.#values[index * 2 + 1]! * 0x100000000
  }

  /** Adds `more` to the value at `index`. */
  add(index: number, more: number): void {
    const value = this.at(index) + more
    this.#values[index * 2] = value
    this.#values[index * 2 + 1] = Math.floor(value / 0x100000000)
  }

  /** Appends all of `halves`, of each value the low one and the high one. */
  append(halves: Uint32Array): void {
    const at = this.count * 2
    this.#values = withRoom(this.#values, at + halves.length)
    this.#values.set(halves, at)
    this.count += halves.length / 2
  }

  unset(): void {
    this.halves(0, this.#absentHigh)
  }

  get byteLength(): number {
    return this.count * 8
  }

  mark(): number {
    return 0
  }

  rewind(count: number): void {
    this.count = count
  }

  write(into: Bytes): void {
    into.copy(bytesOf(this.#values), 0, this.byteLength)
  }
}

/** Array(UInt32): `add` any number of elements, then `end` the value. */
export class UInt32ArrayColumn implements Column {
  readonly #ends = new Int64Column()
  #elements = new Uint32Array(1024)
  #length = 0
  #closed = 0

  /** Adds an element to the value being built. */
  add(element: number): void {
    if (this.#length === this.#elements.length) this.#elements = doubled(this.#elements)
    this.#elements[this.#length++] = element
  }

  /** Elements of the value being built. */
  get pending(): number {
    return this.#length - this.#closed
  }

  /** Drops the elements of the value being built from the `pending`th on. */
  cut(pending: number): void {
    this.#length = this.#closed + pending
  }

  /** Ends the value: the elements added since the last `end`. */
  end(): void {
    this.#ends.number(this.#length)
    this.#closed = this.#length
  }

  /** The number of elements of the value at `index`. */
  lengthOf(index: number): number {
    return this.#ends.at(index) - (index === 0 ? 0 : this.#ends.at(index - 1))
  }

  /** Adds elements at the ends of values that were ended, by the values' indexes. */
  extend(more: ReadonlyMap<number, number>): void {
    const ends = this.#ends
    this.#elements = withRoom(this.#elements, this.#length + more.size)
    let left = more.size
    // From the last one, so that nothing is written over before it has moved.
    for (let i = this.count - 1; left > 0; i--) {
      const from = i === 0 ? 0 : ends.at(i - 1)
      const to = ends.at(i)
      const element = more.get(i)
      ends.add(i, left)
      if (element !== undefined) this.#elements[to + --left] = element
      this.#elements.copyWithin(from + left, from, to)
    }
    this.#length += more.size
    this.#closed = this.#length
  }

  /** Appends values: the elements of all, and where each one's end. */
  append(elements: Uint32Array, ends: Uint32Array): void {
    const before = this.#length
    this.#elements = withRoom(this.#elements, before + elements.length)
    this.#elements.set(elements, before)
    for (let i = 0; i < ends.length; i++) this.#ends.number(before + ends[i]!)
    this.#length = this.#closed = before + elements.length
  }

  get count(): number {
    return this.#ends.count
  }

  unset(): void {
    this.end()
  }

  get byteLength(): number {
    return this.count * 8 + this.#length * 4
  }

  mark(): number {
    return this.#length
  }

  rewind(count: number, mark: number): void {
    this.#ends.rewind(count)
    this.#length = mark
    this.#closed = mark
  }

  write(into: Bytes): void {
    this.#ends.write(into)
    into.copy(bytesOf(this.#elements), 0, this.#length * 4)
  }
}

/** `values`, or a copy of them in more memory if there is none for `count`. */
export function withRoom<T extends Parameters<typeof doubled>[0]>(values: T, count: number): T {
  let larger = values
  while (larger.length < count) larger = doubled(larger)
  return larger
}

/** A copy in twice the memory. */
export function doubled<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array>(
  values: T,
): T {
  const larger = new (values.constructor as new (length: number) => T)(values.length * 2)
  larger.set(values)
  return larger
}

function bytesOf(values: Uint8Array | Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}
