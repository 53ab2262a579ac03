/** Numbers of the wire as JSON text: see `ingest/otlp/number.ts`. */
import { byte, letters, natural } from './output'
import { varint64 } from './wire'

/** Whole numbers below are written as such, and what is left of them as a fraction of up to this many digits. */
const MAX_WHOLE: f64 = 1e9
const MAX_DIGITS: i32 = 6

/** Appends the varint at `at`, a signed integer of 64 bits. */
export function writeVarint(at: usize): void {
  const value = <i64>varint64(at)
  if (value < 0) byte(45)
  natural(<u64>(value < 0 ? -value : value))
}

/**
 * Appends `value` if it has no more than fifteen digits, in a plain form; returns false, having appended nothing, if not.
 * Two decimals of fifteen digits are never the same double, so the one that gives back the double is the shortest.
 */
export function writeDouble(value: f64): bool {
  const size = Math.abs(value)
  if (!(size < MAX_WHOLE) || (size < 0.001 && size !== 0)) return false
  let digits = 0
  let power: f64 = 1
  let scaled = Math.floor(size)
  while (scaled / power !== size) {
    if (digits === MAX_DIGITS) return false
    digits++
    power *= 10
    scaled = Math.floor(size * power + 0.5)
  }
  if (reinterpret<i64>(value) < 0) byte(45)
  const all = <u64>scaled
  const unit = <u64>power
  const whole = all / unit
  natural(whole)
  if (digits === 0) {
    letters(0x302e, 2)
    return true
  }
  byte(46)
  const fraction = all - whole * unit
  for (let place = unit / 10; place > fraction && place > 1; place /= 10) byte(48)
  natural(fraction)
  return true
}
