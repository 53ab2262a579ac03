/**
 * Buckets of time that begin at the midnight of a time zone, whose days have 23 or 25 hours where its clocks change.
 * Pure; times are seconds since the epoch.
 */

/** Most buckets of one answer. */
export const MOST_BUCKETS = 10_000
const DAY = 86_400
/** Lengths that are chosen from, and how many buckets are enough to look at. */
const USUAL = [60, 300, 900, 3600, 21_600, DAY]
const ENOUGH = 200

/** The length of a bucket where none is asked for. */
export function usualGranularity(start: number, end: number): number {
  return USUAL.find((seconds) => (end - start) / seconds <= ENOUGH) ?? DAY
}

/** Tells the day on which a moment falls in a time zone. */
export class TimeZone {
  private readonly format: Intl.DateTimeFormat

  /** @throws RangeError if there is no such zone */
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
    return this.firstSecond(moment - 26 * 3600, moment, (at) => this.day(at) >= day)
  }

  /** The first second of the day after that of `moment`. */
  nextDay(moment: number): number {
    const day = this.day(moment)
    return this.firstSecond(moment, moment + 26 * 3600, (at) => this.day(at) > day)
  }

  /** As `2026-10-25`, so that days compare as texts. */
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
 * Where buckets begin, the first at or before `start`, the last before `end`. Those shorter than a day begin anew at
 * each midnight; whole days are counted by the calendar.
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
    // Longer than a day, but no number of days: from the first midnight on, whatever the clocks do.
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
