/** Parses clients' times: ISO 8601 text to µs since the epoch. Works on bytes, which is what the hot path has. */

/** µs of 2255-01-01T00:00:00Z; doubles don't represent later µs exactly. */
const END = 8_993_721_600_000_000

/** True for a storable time: after the epoch (which means "unset") and before the year 2255. */
export function isStorableTime(micros: number): boolean {
  return micros > 0 && micros < END
}

/**
 * µs since the epoch of a text like `2026-01-01T00:00:01.5+02:00`: the time or its seconds may be absent; it may end in
 * `Z`, `±HH:MM`, `±HHMM` or nothing (UTC), and have a space for the `T`; digits after the sixth are dropped. NaN if it
 * has another form or is an invalid date; not checked by {@link isStorableTime}.
 */
export function microsAt(buf: Uint8Array, from: number, to: number): number {
  const length = to - from
  if (length < 10 || length > 64) return Number.NaN
  const year = digits2(buf, from) * 100 + digits2(buf, from + 2)
  const month = digits2(buf, from + 5)
  const day = digits2(buf, from + 8)
  if (buf[from + 4] !== DASH || buf[from + 7] !== DASH) return Number.NaN
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return Number.NaN
  const midnight = daysSinceEpoch(year, month, day) * 86_400_000_000
  return length === 10 ? midnight : midnight + clockAt(buf, from + 10, to)
}

/** Like {@link microsAt}, for a string. */
export function microsOf(text: string): number {
  const buf = Buffer.from(text)
  return microsAt(buf, 0, buf.length)
}

const DASH = 0x2d
const COLON = 0x3a
const DOT = 0x2e
const PLUS = 0x2b

/** µs since midnight UTC of `THH:MM[:SS[.ffffff]][zone]` at `p`. */
function clockAt(buf: Uint8Array, p: number, to: number): number {
  const separator = buf[p]! | 0x20
  if ((separator !== 0x74 && separator !== 0x20) || to - p < 6 || buf[p + 3] !== COLON) return Number.NaN
  const hour = digits2(buf, p + 1)
  const minute = digits2(buf, p + 4)
  p += 6
  let second = 0
  let micros = 0
  if (p < to && buf[p] === COLON) {
    if (to - p < 3) return Number.NaN
    second = digits2(buf, p + 1)
    p += 3
    if (p < to && buf[p] === DOT) {
      const first = ++p
      let unit = 100_000
      for (; p < to && isDigit(buf[p]!); p++) {
        micros += (buf[p]! - 0x30) * unit
        unit = unit === 1 || unit === 0 ? 0 : unit / 10
      }
      if (p === first) return Number.NaN
    }
  }
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN
  return (hour * 3600 + minute * 60 + second - zoneAt(buf, p, to)) * 1_000_000 + micros
}

/** The offset of the zone at `p` from UTC, in seconds; it must end the text. */
function zoneAt(buf: Uint8Array, p: number, to: number): number {
  const length = to - p
  if (length === 0) return 0
  const sign = buf[p]!
  if ((sign | 0x20) === 0x7a) return length === 1 ? 0 : Number.NaN
  if (sign !== PLUS && sign !== DASH) return Number.NaN
  const colon = length === 6 && buf[p + 3] === COLON
  if (!colon && length !== 5) return Number.NaN
  const hours = digits2(buf, p + 1)
  const minutes = digits2(buf, colon ? p + 4 : p + 3)
  if (!(hours < 24 && minutes < 60)) return Number.NaN
  const seconds = hours * 3600 + minutes * 60
  return sign === DASH ? -seconds : seconds
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39
}

/** The number formed by two digits, or NaN. */
function digits2(buf: Uint8Array, p: number): number {
  const a = buf[p]!
  const b = buf[p + 1]!
  return isDigit(a) && isDigit(b) ? (a - 0x30) * 10 + (b - 0x30) : Number.NaN
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** Days from 1970-01-01 to a Gregorian date; years start in March, so that leap days come last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const leaps = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400)
  return shifted * 365 + leaps + ofYear - 719_468
}
