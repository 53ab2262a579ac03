/** Writes times as in answers: like `platform/time/iso.ts`, but straight to bytes. */
import { type Bytes, viewOf } from '../../../platform/bytes/bytes.js'

const DAY = 86_400
/** `2026-01-01T` of the last day written: a list's times usually span few days. */
const date = Buffer.alloc(11)
const dateView = viewOf(date)
let dayOfDate = Number.NaN

/** Appends `2026-01-01T00:00:01.500000Z`; whole seconds have no fraction. @param micros since the epoch */
export function writeTime(out: Bytes, micros: number): void {
  const fraction = writeSecond(out, micros)
  if (fraction > 0) writeFraction(out, fraction)
  out.byte(0x5a)
}

/** Appends `2026-01-01T00:00:01.500000`, the fraction always. @param micros since the epoch */
export function writeMicros(out: Bytes, micros: number): void {
  writeFraction(out, writeSecond(out, micros))
}

/** Appends `2026-01-01T00:00:01`; returns the µs that are left. */
function writeSecond(out: Bytes, micros: number): number {
  const second = Math.floor(micros / 1e6)
  const fraction = micros - second * 1e6
  const day = Math.floor(second / DAY)
  if (day !== dayOfDate) {
    date.write(new Date(day * DAY * 1000).toISOString(), 'latin1')
    dayOfDate = day
  }
  out.copyView(dateView, 0, date.length)
  out.reserve(8)
  const ofDay = second - day * DAY
  const { buf, pos } = out
  const minutes = Math.floor(ofDay / 60)
  digits(buf, pos, Math.floor(minutes / 60), 2)
  buf[pos + 2] = 0x3a
  digits(buf, pos + 3, minutes % 60, 2)
  buf[pos + 5] = 0x3a
  digits(buf, pos + 6, ofDay % 60, 2)
  out.pos = pos + 8
  return fraction
}

function writeFraction(out: Bytes, fraction: number): void {
  out.reserve(7)
  const { buf, pos } = out
  buf[pos] = 0x2e
  digits(buf, pos + 1, fraction, 6)
  out.pos = pos + 7
}

function digits(buf: Uint8Array, at: number, value: number, count: number): void {
  let rest = value
  for (let i = at + count - 1; i >= at; i--) {
    buf[i] = 0x30 + (rest % 10)
    rest = (rest / 10) | 0
  }
}
