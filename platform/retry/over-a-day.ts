/** When to try again what others have to take or do: at first soon, then seldom, for a day. */

/** Seconds before the second try, the third and so on. */
const WAITS_S = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000]

/** The longest wait, in µs. */
export const LONGEST_WAIT = WAITS_S.at(-1)! * 1e6

/** When to try again after so many tries; undefined: no more. @param tries at least one @param now µs, as the answer */
export function nextTry(tries: number, now: number): number | undefined {
  const wait = WAITS_S[tries - 1]
  return wait === undefined ? undefined : now + wait * 1e6
}
