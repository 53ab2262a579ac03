/**
 * How many refusals are written: a few of each caller and of all in a minute, so that nobody fills the log. The rest is
 * counted. Pure.
 */

/** Of one caller in a minute. */
const OF_ONE = 10
/** Of all callers in a minute. */
const OF_ALL = 200
/** Callers that are counted by themselves; the rest are counted together. */
const MOST_CALLERS = 100
const MINUTE_US = 60e6

/** Refusals of a caller that were not written. */
export interface Counted<Who> {
  /** undefined: several callers */
  who: Who | undefined
  count: number
  /** µs since the epoch: of the first of them */
  since: number
}

export class Refusals<Who> {
  private minute = 0
  private written = 0
  private readonly callers = new Map<string, number>()
  private counted = new Map<string, Counted<Who>>()

  /**
   * Whether this one is to be written; else it is counted.
   * @param caller its key, or where it is @param now µs since the epoch
   */
  admits(caller: string, who: Who, now: number): boolean {
    const minute = Math.floor(now / MINUTE_US)
    if (minute !== this.minute) {
      this.minute = minute
      this.written = 0
      this.callers.clear()
    }
    const own = this.callers.get(caller) ?? 0
    if (own < OF_ONE && this.written < OF_ALL) {
      this.written++
      this.callers.set(caller, own + 1)
      return true
    }
    const place = this.counted.has(caller) || this.counted.size < MOST_CALLERS ? caller : ''
    const known = this.counted.get(place)
    if (known) known.count++
    else this.counted.set(place, { who: place === '' ? undefined : who, count: 1, since: now })
    return false
  }

  /** Those that were counted; they are forgotten. */
  take(): Counted<Who>[] {
    const all = [...this.counted.values()]
    this.counted = new Map()
    return all
  }
}
