/** Reads a Native block back as rows: for tests, slow and plain. Knows the format, not which columns there should be. */
import { bufferOf } from '../../../platform/bytes/buffer-of.js'

/** A value: text, a list of hashes, or a number of any size as text (so that nothing is lost). */
export type Row = Record<string, string | number[]>

/** The rows of one block. @throws if a byte is left over or missing */
export function readBlock(block: Uint8Array): Row[] {
  const buf = bufferOf(block)
  let pos = 0
  const varint = () => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = buf.readUInt8(pos++)
      value += (byte & 127) * unit
      if (byte < 128) return value
    }
  }
  const text = () => {
    const length = varint()
    pos += length
    if (pos > buf.length) throw new Error('a text goes beyond the block')
    return buf.toString('utf8', pos - length, pos)
  }
  const step = (size: number) => {
    pos += size
    return pos - size
  }
  const readers: Record<string, () => string> = {
    String: text,
    Int8: () => String(buf.readInt8(step(1))),
    UInt8: () => String(buf.readUInt8(step(1))),
    UInt32: () => String(buf.readUInt32LE(step(4))),
    Int64: () => String(buf.readBigInt64LE(step(8))),
    UInt64: () => String(buf.readBigUInt64LE(step(8))),
    "DateTime64(6, 'UTC')": () => String(buf.readBigInt64LE(step(8))),
  }
  const columns = varint()
  const rows: Row[] = Array.from({ length: varint() }, () => ({}))
  for (let i = 0; i < columns; i++) {
    const name = text()
    const type = text()
    if (type === 'Array(UInt32)') {
      const ends = rows.map(() => Number(buf.readBigUInt64LE(step(8))))
      rows.forEach((row, r) => {
        row[name] = Array.from({ length: ends[r]! - (ends[r - 1] ?? 0) }, () => buf.readUInt32LE(step(4)))
      })
    } else if (type === 'LowCardinality(String)') {
      step(8)
      if (rows.length === 0) continue
      step(8)
      const texts = Array.from({ length: Number(buf.readBigUInt64LE(step(8))) }, text)
      step(8)
      for (const row of rows) row[name] = texts[buf.readUInt16LE(step(2))]!
    } else for (const row of rows) row[name] = readers[type]!()
  }
  if (pos !== buf.length) throw new Error(`${buf.length - pos} bytes are left over`)
  return rows
}
