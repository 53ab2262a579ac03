/** Numbers of the wire as JSON text: 64-bit integers digit for digit, doubles so that they read back as doubles. */
import type { StringColumn } from '../../domain/calls/column.js'

const scratch = new DataView(new ArrayBuffer(8))

/** The varint at `pos` as a number, exact below 2^49; NaN if it is longer (large, or negative). */
function shortVarint(buf: Uint8Array, pos: number): number {
  let value = 0
  let unit = 1
  for (let at = pos; at < pos + 7; at++) {
    const byte = buf[at]!
    if (byte < 128) return value + byte * unit
    value += (byte & 127) * unit
    unit *= 128
  }
  return Number.NaN
}

/** The varint at `pos`, known to be complete, as a signed integer of 64 bits. */
function longVarint(buf: Uint8Array, pos: number): bigint {
  let value = 0n
  for (let at = pos, shift = 0n; at < pos + 10; at++, shift += 7n) {
    value |= BigInt(buf[at]! & 127) << shift
    if (buf[at]! < 128) break
  }
  return BigInt.asIntN(64, value)
}

/** Appends the varint at `pos`, a signed integer of 64 bits, in decimal. */
export function writeVarint(out: StringColumn, buf: Uint8Array, pos: number): void {
  const value = shortVarint(buf, pos)
  if (Number.isNaN(value)) out.utf8(longVarint(buf, pos).toString())
  else writeNatural(out, value)
}

/** Appends `value`, a natural number up to 2^53, in decimal. */
export function writeNatural(out: StringColumn, value: number): void {
  if (value >= 1_000_000_000) {
    out.utf8(String(value))
    return
  }
  out.reserve(10)
  let digits = 1
  for (let limit = 10; value >= limit; limit *= 10) digits++
  writeDigits(out.buf, out.pos, digits, value)
  out.pos += digits
}

/** Writes the last `count` digits of `value` (below 2^31) at `at`. */
function writeDigits(buf: Uint8Array, at: number, count: number, value: number): void {
  let rest = value | 0
  for (let i = at + count - 1; i >= at; i--) {
    const tenth = (rest / 10) | 0
    buf[i] = 48 + rest - tenth * 10
    rest = tenth
  }
}

/** The double at `pos`. */
function doubleAt(buf: Uint8Array, pos: number): number {
  for (let i = 0; i < 8; i++) scratch.setUint8(i, buf[pos + i]!)
  return scratch.getFloat64(0, true)
}

/**
 * Appends the double at `pos`. A whole one keeps a `.0`; what JSON has no number for becomes the string that
 * protobuf's JSON has for it.
 */
export function writeDouble(out: StringColumn, buf: Uint8Array, pos: number): void {
  const value = doubleAt(buf, pos)
  if (!Number.isFinite(value)) out.utf8(`"${value}"`)
  else if (Object.is(value, -0)) out.utf8('-0.0')
  else {
    const text = String(value)
    out.utf8(Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text)
  }
}
