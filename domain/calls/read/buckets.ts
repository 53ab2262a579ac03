/**
 * Time buckets that start at midnight in a time zone, whose days have 23 or 25 hours when its clocks change. Pure;
 * times are seconds since the epoch.
 */

/** Most buckets per answer. */
export const MOST_BUCKETS = 10_000
const DAY = 86_400
const HOUR = 3600
/** Bucket lengths for time ranges up to a given length. */
const USUAL = [
  [2 * HOUR, 300],
  [12 * HOUR, HOUR],
  [3 * DAY, 6 * HOUR],
  [14 * DAY, 12 * HOUR],
] as const

/** The default bucket length for a time range. */
export function usualGranularity(start: number, end: number): number {
  return USUAL.find(([most]) => end - start <= most)?.[1] ?? DAY
}

/** Whether there is a time zone of this name. Newer runtimes also take UTC offsets, which are no names. */
export function isTimeZone(name: string): boolean {
  try {
    return !/^[+-]/.test(name) && Boolean(new TimeZone(name))
  } catch {
    return false
  }
}

/** Finds the calendar day of a moment in a time zone. */
export class TimeZone {
  private readonly format: Intl.DateTimeFormat

  /** @throws RangeError if the zone is unknown */
  constructor(name: string) {
    this.format = new Intl.DateTimeFormat('en-CA', {
      timeZone: name,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
  }

  /** The first second of the day of `moment`. */
  startOfDay(moment: number): number {
    const day = this.day(moment)
    return this.firstSecond(moment - 26 * HOUR, moment, (at) => this.day(at) >= day)
  }

  /** The first second of the day after `moment`. */
  nextDay(moment: number): number {
    const day = this.day(moment)
    return this.firstSecond(moment, moment + 26 * HOUR, (at) => this.day(at) > day)
  }

  /** As `2026-10-25`, so that days compare as strings. */
  private day(moment: number): string {
    return this.format.format(moment * 1000)
  }

  /** The first second in (before, by] for which `reached` holds; it holds for `by`. */
  private firstSecond(before: number, by: number, reached: (at: number) => boolean): number {
    let low = before
    let high = by
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (reached(middle)) high = middle
      else low = middle
    }
    return high
  }
}

/**
 * The starts of buckets, the first at or before `start`, the last before `end`. Buckets shorter than a day restart at
 * each midnight; whole days follow the calendar.
 * @param granularity seconds
 * @returns undefined if there are more than {@link MOST_BUCKETS}
 */
export function bucketStarts(
  start: number,
  end: number,
  granularity: number,
  zone: TimeZone,
): number[] | undefined {
  if ((end - start) / granularity > MOST_BUCKETS) return undefined
  const starts: number[] = []
  const days = granularity % DAY === 0 ? granularity / DAY : 1
  const step = granularity % DAY === 0 ? Number.POSITIVE_INFINITY : granularity
  for (let midnight = zone.startOfDay(start); midnight < end; ) {
    let next = midnight
    for (let i = 0; i < days && next < end; i++) next = zone.nextDay(next)
    // Longer than a day, but not whole days: count from the first midnight, ignoring clock changes.
    if (granularity > DAY && days === 1 && step !== Number.POSITIVE_INFINITY) next = end
    for (let at = midnight; at < next && at < end; at += step) starts.push(at)
    midnight = next
  }
  const first = Math.max(
    starts.findLastIndex((at) => at <= start),
    0,
  )
  const kept = starts.slice(first)
  return kept.length > MOST_BUCKETS ? undefined : kept
}
