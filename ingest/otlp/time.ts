/** Times of the wire (ns since the epoch, 64 bits) as µs and as text. Knows no clock. */
import type { StringColumn } from '../../common/calls/column.js'
import { writeDigits } from './number.js'

function uint32(buf: Uint8Array, pos: number): number {
  return (buf[pos]! | (buf[pos + 1]! << 8) | (buf[pos + 2]! << 16) | (buf[pos + 3]! << 24)) >>> 0
}

/** Whole µs of the ns at `pos`, 64 bits little endian; exact until the year 2255, where µs outgrow a double. */
export function microsOfNanos(buf: Uint8Array, pos: number): number {
  const high = uint32(buf, pos + 4)
  const rest = (high % 1000) * 0x100000000 + uint32(buf, pos)
  return Math.floor(high / 1000) * 0x100000000 + Math.floor(rest / 1000)
}

let second = -1
const text = Buffer.from('1970-01-01T00:00:00.000000000Z')

/** Appends the ns at `pos` as `"2026-01-01T00:00:00.000000000Z"`, quotes included. */
export function writeTime(out: StringColumn, buf: Uint8Array, pos: number): void {
  const micros = microsOfNanos(buf, pos)
  const nanos = ((uint32(buf, pos + 4) % 1000) * 0x100000000 + uint32(buf, pos)) % 1000
  const seconds = Math.floor(micros / 1_000_000)
  if (seconds !== second) {
    second = seconds
    text.write(new Date(seconds * 1000).toISOString(), 'latin1')
  }
  const fraction = micros - seconds * 1_000_000
  writeDigits(text, 20, 6, fraction)
  writeDigits(text, 26, 3, nanos)
  text[29] = 90
  out.reserve(32)
  const { buf: target, pos: at } = out
  target[at] = 34
  for (let i = 0; i < 30; i++) target[at + 1 + i] = text[i]!
  target[at + 31] = 34
  out.pos = at + 32
}
