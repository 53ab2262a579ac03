/** How much passes a rate, whenever it is asked. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Rate, Rates } from './rates.js'

const anyRate: fc.Arbitrary<Rate> = fc.record({
  burst: fc.integer({ min: 1, max: 20 }),
  perSecond: fc.double({ min: 0.001, max: 50, noNaN: true }),
})
const gaps = fc.array(fc.double({ min: 0, max: 2000, noNaN: true }), { minLength: 1, maxLength: 200 })

it('in no span of time more than the burst and what comes back passes, and the burst always does', () =>
  fc.assert(
    fc.property(anyRate, gaps, (rate, waits) => {
      const rates = new Rates(1000)
      const passed: number[] = []
      let now = 0
      for (const [i, wait] of waits.entries()) {
        now += wait
        const isIn = rates.take('a', rate, now)
        if (i < rate.burst) expect(isIn).toBe(true)
        if (isIn) passed.push(now)
      }
      for (let from = 0; from < passed.length; from++)
        for (let to = from; to < passed.length; to++) {
          const most = rate.burst + ((passed[to]! - passed[from]!) / 1000) * rate.perSecond
          expect(to - from + 1).toBeLessThanOrEqual(most + 1e-6)
        }
    }),
  ))

it('names have rates of their own, and whoever waits passes again', () => {
  const rates = new Rates(1000)
  const rate = { burst: 2, perSecond: 0.5 }
  expect([0, 0, 0, 1999].map((at) => rates.take('a', rate, at))).toEqual([true, true, false, false])
  expect(rates.take('b', rate, 1999)).toBe(true)
  expect([2000, 2001, 1e9, 1e9, 1e9].map((at) => rates.take('a', rate, at))).toEqual([
    ...[true, false, true, true, false],
  ])
})
