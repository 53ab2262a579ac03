/** Times of the wire: see `ingest/otlp/time.ts`. */
import { DATE } from './layout'
import { copy, goTo, hasRoom, position } from './output'

const DAY: u64 = 86_400

/** The day whose text is kept. */
let day: u64 = 0xffffffffffffffff

/** Writes two digits at `at`. */
function pair(at: usize, value: u32): void {
  const tens = value / 10
  store<u16>(at, (48 + tens) | ((48 + value - tens * 10) << 8))
}

/** Writes the date of the day numbered `days` since 1970 to DATE, with its quote and the letter after it. */
function keepDate(days: u64): void {
  day = days
  // The year begins in March, so that a leap day is its last one.
  const shifted = <u32>days + 719_468
  const era = shifted / 146_097
  const ofEra = shifted - era * 146_097
  const year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
  const ofYear = ofEra - (365 * year + year / 4 - year / 100)
  const shiftedMonth = (5 * ofYear + 2) / 153
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const full = year + era * 400 + (month <= 2 ? 1 : 0)
  store<u8>(DATE, 34)
  pair(DATE + 1, full / 100)
  pair(DATE + 3, full % 100)
  store<u8>(DATE + 5, 45)
  pair(DATE + 6, month)
  store<u8>(DATE + 8, 45)
  pair(DATE + 9, ofYear - (153 * shiftedMonth + 2) / 5 + 1)
  store<u8>(DATE + 11, 84)
}

/** Appends what `nanos` have after their µs: three digits. */
export function writeNanos(nanos: u64): void {
  if (!hasRoom(4)) return
  const digits = <u32>(nanos % 1000)
  const at = position()
  store<u8>(at, 48 + digits / 100)
  pair(at + 1, digits % 100)
  goTo(at + 3)
}

/** Appends `nanos` since the epoch as `"2026-01-01T00:00:00.000000000Z"`, quotes included. */
export function writeTime(nanos: u64): void {
  if (!hasRoom(32)) return
  const seconds = nanos / 1_000_000_000
  const days = seconds / DAY
  if (days !== day) keepDate(days)
  const at = position()
  copy(DATE, DATE + 12)
  const ofDay = <u32>(seconds - days * DAY)
  const hour = ofDay / 3600
  const minute = (ofDay - hour * 3600) / 60
  pair(at + 12, hour)
  store<u8>(at + 14, 58)
  pair(at + 15, minute)
  store<u8>(at + 17, 58)
  pair(at + 18, ofDay - hour * 3600 - minute * 60)
  store<u8>(at + 20, 46)
  const fraction = <u32>(nanos - seconds * 1_000_000_000)
  const high = fraction / 100_000
  const low = fraction - high * 100_000
  pair(at + 21, high / 100)
  pair(at + 23, high % 100)
  store<u8>(at + 25, 48 + low / 10_000)
  pair(at + 26, (low / 100) % 100)
  pair(at + 28, low % 100)
  store<u16>(at + 30, 0x225a)
  goTo(at + 32)
}
