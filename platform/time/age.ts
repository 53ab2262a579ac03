/** How long ago something was noted, by clocks of several machines. */

/** Clocks of machines may differ by so much, in ms. */
const AHEAD_MS = 60_000

/**
 * The age of what was noted at `at`, in ms. What is further ahead than clocks differ was noted before the clock was set
 * back: nobody knows how long ago, and it is taken to be over.
 * @param at @param now ms since 1970
 */
export const ageOf = (at: number, now: number): number =>
  at - now > AHEAD_MS ? Number.POSITIVE_INFINITY : now - at
