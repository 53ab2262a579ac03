/** Formats times for answers: ISO 8601, UTC, `Z`, µs if not zero. */

/** `2026-01-01T00:00:01.500000Z`; whole seconds have no fraction. @param micros since the epoch */
export function isoOfMicros(micros: number): string {
  const second = Math.floor(micros / 1e6)
  const fraction = micros - second * 1e6
  const text = new Date(second * 1000).toISOString().slice(0, 19)
  return fraction === 0 ? `${text}Z` : `${text}.${String(fraction).padStart(6, '0')}Z`
}

/** {@link isoOfMicros}, with the epoch (unset in our tables) as null. */
export function isoOrNull(micros: number): string | null {
  return micros === 0 ? null : isoOfMicros(micros)
}

let last = 0

/** µs since the epoch, larger at each call in this process: the `ver` of rows. */
export function nowMicros(): number {
  last = Math.max(last + 1, Date.now() * 1000)
  return last
}

/** YYYY-MM-DD in UTC: the day that counts of a day are of. */
export const today = (): string => new Date().toISOString().slice(0, 10)
