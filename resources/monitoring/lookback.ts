/** How far the calls of a project were looked at, and from where on the next look begins. Times are µs since the epoch. */
import { READABLE_WITHIN_US } from '../../domain/calls/read/written.js'

/** Most calls are readable within this time, so only that much is looked at again each time; all of it now and then. */
const SHORT_US = 2e6
const WHOLE_MS = 20_000

export class Lookback {
  /** ms of a clock that never goes back, when all of the overlap was looked at */
  private wholeAt = Number.NEGATIVE_INFINITY

  /** @param reached what was stored until then was looked at */
  constructor(public reached: number) {}

  /**
   * Where to begin. @param now by the clock of versions @param steady ms, by one that never goes back
   * @returns what to call when all from there on was looked at
   */
  next(now: number, steady = performance.now()): { from: number; last: number; done: () => void } {
    const isWhole = steady - this.wholeAt > WHOLE_MS
    // If the clock was set back, what is stored from now on has earlier versions than what was looked at.
    const last = Math.min(this.reached, now)
    const from = Math.max(0, last - (isWhole ? READABLE_WITHIN_US : SHORT_US))
    const done = () => {
      if (isWhole) this.wholeAt = steady
    }
    return { from, last, done }
  }
}
