/**
 * A block of a few columns in ClickHouse's format Native, which the embedded engine can log. Types need not be the
 * table's: ClickHouse casts them. For small tables; calls have blocks of their own. Pure.
 */
import { Bytes } from '../bytes/bytes.js'

export interface NativeColumn {
  name: string
  type: string
  write: (bytes: Bytes) => void
}

export function strings(name: string, values: readonly string[]): NativeColumn {
  const write = (bytes: Bytes): void => {
    for (const value of values) writeString(bytes, value)
  }
  return { name, type: 'String', write }
}

/** @param type one of 64 bits */
export function integers(name: string, values: readonly number[], type = 'UInt64'): NativeColumn {
  const write = (bytes: Bytes): void => {
    bytes.reserve(values.length * 8)
    for (const value of values) {
      bytes.view.setBigInt64(bytes.pos, BigInt(value), true)
      bytes.pos += 8
    }
  }
  return { name, type, write }
}

export function tuple(name: string, elements: readonly NativeColumn[]): NativeColumn {
  const types = elements.map((element) => `${element.name} ${element.type}`)
  const write = (bytes: Bytes): void => {
    for (const element of elements) element.write(bytes)
  }
  return { name, type: `Tuple(${types.join(', ')})`, write }
}

/** The block; each column has `rows` values. */
export function nativeBlock(columns: readonly NativeColumn[], rows: number): Uint8Array {
  const bytes = new Bytes()
  writeLength(bytes, columns.length)
  writeLength(bytes, rows)
  for (const { name, type, write } of columns) {
    writeString(bytes, name)
    writeString(bytes, type)
    write(bytes)
  }
  return bytes.buf.subarray(0, bytes.pos)
}

function writeString(bytes: Bytes, text: string): void {
  const utf8 = Buffer.from(text)
  writeLength(bytes, utf8.length)
  bytes.copy(utf8, 0, utf8.length)
}

function writeLength(bytes: Bytes, length: number): void {
  let rest = length
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.byte((rest % 128) | 128)
  bytes.byte(rest)
}
