/** Reads in a body of the format Native what the log wants to know of its rows, without the engine. Pure. */

/** Values of one column that are told apart; with more, nobody asks which. */
const maxValues = 10_000
/** What a row has of the columns that are looked at, mostly: they come first. */
export const keyBytes = 128
const leastBytes = 4 * 1024
/** Bytes of a value of the types that have as many in each row. */
const widths: Record<string, number> = {
  ...{
    UInt8: 1,
    Int8: 1,
    Bool: 1,
    UInt16: 2,
    Int16: 2,
    UInt32: 4,
    Int32: 4,
    Float32: 4,
    Date: 2,
    DateTime: 4,
  },
  ...{ UInt64: 8, Int64: 8, Float64: 8, UUID: 16 },
}

/** Bytes of a value of `type`, where all have as many. */
export function widthOf(type: string): number | undefined {
  return type.startsWith('DateTime64(') ? 8 : widths[type]
}

/** Rows of the first block of a body; 0 where it has none, or is no such body. */
export function rowsOfNative(chunks: readonly Uint8Array[]): number {
  const reader = new Reader(Buffer.concat(chunks.slice(0, 2).map((chunk) => chunk.subarray(0, 20))))
  const columns = reader.varint()
  const rows = reader.varint()
  return reader.isWhole && columns > 0 ? rows : 0
}

/** The columns by which rows of the log are looked for. */
export type KeyColumns = {
  /** of Strings */
  readKey?: string | undefined
  /** of whole numbers of eight bytes */
  newestBy?: string | undefined
}

/** What is known of a body's rows; undefined: nothing. */
export type BodyKeys = {
  /** the values of the read key */
  values?: ReadonlySet<string> | undefined
  /** the greatest value of the column that says which rows are newest */
  greatest?: number | undefined
}

/**
 * What the key columns have in the first block of a body: nothing of those that are of other types, that have columns of other
 * types than Strings and numbers before them, or that have more values than need be told.
 */
export function keysOfNative(
  { chunks, length, rows }: { chunks: readonly Uint8Array[]; length: number; rows: number },
  columns: KeyColumns,
): BodyKeys {
  for (let size = Math.max(leastBytes, rows * keyBytes); ; size *= 4) {
    const reader = new Reader(firstOf(chunks, size))
    const keys = readKeys(reader, columns)
    if (reader.isWhole) return keys
    if (size >= length) return {}
  }
}

function readKeys(reader: Reader, { readKey, newestBy }: KeyColumns): BodyKeys {
  const keys: BodyKeys = {}
  const left = new Set([readKey, newestBy])
  left.delete(undefined)
  const columns = reader.varint()
  const rows = reader.varint()
  for (let i = 0; i < columns && left.size > 0 && reader.isWhole; i++) {
    const name = reader.take(reader.varint()).toString()
    const type = reader.take(reader.varint()).toString()
    const width = widthOf(type)
    left.delete(name)
    if (width !== undefined) {
      const bytes = reader.take(rows * width)
      if (name === newestBy && width === 8 && reader.isWhole) keys.greatest = greatestOf(bytes)
    } else if (type !== 'String') break
    else if (name !== readKey)
      for (let row = 0; row < rows && reader.isWhole; row++) reader.skip(reader.varint())
    else {
      keys.values = differentTexts(reader, rows)
      if (!keys.values) break
    }
  }
  return keys
}

function greatestOf(bytes: Buffer): number {
  let greatest = Number.NEGATIVE_INFINITY
  for (let at = 0; at < bytes.length; at += 8) greatest = Math.max(greatest, int64(bytes, at))
  return greatest
}

/** A whole number of eight bytes, as exact as a number can be. */
export function int64(bytes: Buffer, at: number): number {
  return bytes.readInt32LE(at + 4) * 0x100000000 + bytes.readUInt32LE(at)
}

function differentTexts(reader: Reader, rows: number): Set<string> | undefined {
  const values = new Set<string>()
  let last: Buffer | undefined
  for (let row = 0; row < rows && reader.isWhole; row++) {
    const value = reader.take(reader.varint())
    // Rows of one value mostly stand together.
    if (last?.equals(value)) continue
    last = value
    values.add(value.toString())
    if (values.size > maxValues) return undefined
  }
  return values
}

/** The first `size` bytes of a body, or some more. */
function firstOf(chunks: readonly Uint8Array[], size: number): Buffer {
  let end = 0
  let count = 0
  while (count < chunks.length && end < size) end += chunks[count++]!.length
  return Buffer.concat(chunks.slice(0, count), end)
}

/** Reads on until the bytes end; then it is not whole. */
class Reader {
  isWhole = true
  #at = 0

  constructor(private readonly bytes: Buffer) {}

  varint(): number {
    let value = 0
    for (let factor = 1; this.#at < this.bytes.length && factor < 2 ** 42; factor *= 128) {
      const byte = this.bytes[this.#at++]!
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    this.isWhole = false
    return 0
  }

  skip(length: number): void {
    this.#at += length
    if (this.#at > this.bytes.length) this.isWhole = false
  }

  take(length: number): Buffer {
    const start = this.#at
    this.skip(length)
    return this.bytes.subarray(start, this.#at)
  }
}
