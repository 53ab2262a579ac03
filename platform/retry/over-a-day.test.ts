/** A receiver that is gone for a day gets it all the same, however the clock is set meanwhile. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isDue } from './due.js'
import { LONGEST_WAIT, nextTry } from './over-a-day.js'

it('tries soon, then more and more seldom, for about a day', () => {
  const times = [0]
  for (let now: number | undefined = 0; now !== undefined; now = nextTry(times.length - 1, now))
    times.push(now)
  const waits = times.slice(2).map((at, i) => at - times[i + 1]!)
  expect(waits[0]).toBe(5e6)
  expect(waits).toEqual(waits.toSorted((one, other) => one - other))
  expect(times.at(-1)! / 3600e6).toBeCloseTo(24, 0)
})

it('is due by then, and also if the clock was set back by more than any wait', () => {
  const tries = fc.integer({ min: 1, max: 10 })
  const micros = fc.integer({ min: 0, max: 86_400e6 })
  fc.assert(
    fc.property(tries, micros, micros, (count, tried, back) => {
      const at = 2_000_000_000e6 + tried
      const next = nextTry(count, at)!
      expect(isDue(next, next, LONGEST_WAIT)).toBe(true)
      expect(isDue(next, at, LONGEST_WAIT)).toBe(false)
      expect(isDue(next, at - 36_000e6 - back, LONGEST_WAIT)).toBe(true)
    }),
  )
})
