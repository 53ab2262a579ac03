/**
 * Whether it is time for what waits until `at`. If that is farther than any wait, the clock was set back since, and nobody
 * knows how long it has waited.
 * @param at @param now @param longest the longest wait; all in µs
 */
export const isDue = (at: number, now: number, longest: number): boolean => at <= now || at - now > longest
