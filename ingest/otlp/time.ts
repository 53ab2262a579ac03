/** Times of the wire (ns since the epoch, 64 bits) as µs and as text. Knows no clock. */

import type { StringColumn } from '../../domain/calls/column.js'
import { viewOf } from '../../platform/bytes/bytes.js'

function uint32(buf: Uint8Array, pos: number): number {
  return (buf[pos]! | (buf[pos + 1]! << 8) | (buf[pos + 2]! << 16) | (buf[pos + 3]! << 24)) >>> 0
}

/** Whole µs of the ns at `pos`, 64 bits little endian; exact until the year 2255, where µs outgrow a double. */
export function microsOfNanos(buf: Uint8Array, pos: number): number {
  const high = uint32(buf, pos + 4)
  const thousands = Math.floor(high / 1000)
  const rest = (high - thousands * 1000) * 0x100000000 + uint32(buf, pos)
  const micros = Math.floor(rest / 1000)
  nanos = rest - micros * 1000
  return thousands * 0x100000000 + micros
}

/** What `microsOfNanos` left over last: 0…999. */
let nanos = 0

const DAY = 86_400
/** What is written, a text for each of the last days seen: a span and its events may lie on both sides of midnight. */
const texts = Array.from({ length: 8 }, (_, day) => textOf(day))

function textOf(day: number): { day: number; view: DataView } {
  const date = new Date(day * DAY * 1000).toISOString().slice(0, 10)
  return { day, view: viewOf(Buffer.from(`"${date}T00:00:00.000000000Z"`)) }
}

/** Both digits of 0…99, the first in the high half. */
const PAIRS = Uint16Array.from({ length: 100 }, (_, n) => (48 + Math.floor(n / 10)) * 256 + 48 + (n % 10))

/** Appends the ns at `pos` as `"2026-01-01T00:00:00.000000000Z"`, quotes included. */
export function writeTime(out: StringColumn, buf: Uint8Array, pos: number): void {
  const micros = microsOfNanos(buf, pos)
  if (micros > Number.MAX_SAFE_INTEGER) {
    writeFarTime(out, buf, pos)
    return
  }
  const seconds = Math.floor(micros / 1_000_000)
  const days = Math.floor(seconds / DAY)
  const slot = days & 7
  if (texts[slot]!.day !== days) texts[slot] = textOf(days)
  const { view } = texts[slot]!
  const ofDay = seconds - days * DAY
  const hour = (ofDay / 3600) | 0
  const minute = ((ofDay - hour * 3600) / 60) | 0
  view.setUint16(12, PAIRS[hour]!)
  view.setUint16(15, PAIRS[minute]!)
  view.setUint16(18, PAIRS[ofDay - hour * 3600 - minute * 60]!)
  const fraction = micros - seconds * 1_000_000
  const first = (fraction / 10_000) | 0
  const second = ((fraction - first * 10_000) / 100) | 0
  view.setUint16(21, PAIRS[first]!)
  view.setUint16(23, PAIRS[second]!)
  view.setUint16(25, PAIRS[fraction - first * 10_000 - second * 100]!)
  const hundreds = (nanos / 100) | 0
  view.setUint8(27, 48 + hundreds)
  view.setUint16(28, PAIRS[nanos - hundreds * 100]!)
  out.copyView(view, 0, 32)
}

/** Appends what the ns at `pos` have after their µs: three digits. */
export function writeNanos(out: StringColumn, buf: Uint8Array, pos: number): void {
  microsOfNanos(buf, pos)
  out.utf8(String(nanos).padStart(3, '0'))
}

/** The same after the year 2255. */
function writeFarTime(out: StringColumn, buf: Uint8Array, pos: number): void {
  const time = (BigInt(uint32(buf, pos + 4)) << 32n) | BigInt(uint32(buf, pos))
  const date = new Date(Number(time / 1_000_000_000n) * 1000).toISOString().slice(0, 20)
  out.utf8(`"${date}${String(time % 1_000_000_000n).padStart(9, '0')}Z"`)
}
