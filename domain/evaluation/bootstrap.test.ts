import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { difference, intervalOf, intervalOfMean, type Pair, tailOf } from './bootstrap.js'

const pair = (before: number, after: number, trials = 1): Pair => ({
  before: { sum: before, trials },
  after: { sum: after, trials },
})
const score = fc.double({ min: -100, max: 100, noNaN: true })
const somePairs = fc.array(
  fc.tuple(score, score, fc.integer({ min: 1, max: 3 })).map(([a, b, n]) => pair(a, b, n)),
  { minLength: 2, maxLength: 30 },
)

const digits = (text: string) => Array.from(text, Number)
const SHARES = {
  before: digits('110111011101110111011101110111011101110111011101'),
  after: digits('110101011001110101010001110110011100110111010100'),
}
const MEANS = {
  before: [0.91, 0.4, 0.77, 0.63, 0.85, 0.52, 0.7, 0.66, 0.95, 0.31, 0.58, 0.8, 0.49, 0.73, 0.88, 0.61],
  after: [0.83, 0.42, 0.7, 0.6, 0.79, 0.44, 0.71, 0.51, 0.9, 0.35, 0.5, 0.71, 0.47, 0.6, 0.86, 0.57],
}

describe('the interval of a difference', () => {
  it('is the same for the same rows in any order, and holds the difference', () => {
    fc.assert(
      fc.property(somePairs, fc.integer(), (pairs, seed) => {
        const found = intervalOf(pairs, 90, seed)!
        expect(intervalOf([...pairs].reverse(), 90, seed)).toEqual(found)
        const by = difference(pairs)
        expect(found.low).toBeLessThanOrEqual(by + 1e-9)
        expect(found.high).toBeGreaterThanOrEqual(by - 1e-9)
      }),
      { numRuns: 40 },
    )
  })

  it('grows with the confidence, moves along with the scores, and turns around with the runs', () => {
    fc.assert(
      fc.property(somePairs, (pairs) => {
        const [narrow, wide] = ([90, 99] as const).map((confidence) => intervalOf(pairs, confidence, 3)!)
        expect(wide!.low).toBeLessThanOrEqual(narrow!.low)
        expect(wide!.high).toBeGreaterThanOrEqual(narrow!.high)
        const later = pairs.map(({ before, after }) => ({
          before,
          after: { ...after, sum: after.sum + 7 * after.trials },
        }))
        expect(intervalOf(later, 90, 3)!.low).toBeCloseTo(narrow!.low + 7, 8)
        const turned = intervalOf(
          pairs.map(({ before, after }) => ({ before: after, after: before })),
          90,
          3,
        )!
        // Other resamples are drawn, so the ends are near, not equal.
        expect(Math.abs(turned.low + narrow!.high)).toBeLessThanOrEqual((narrow!.high - narrow!.low) / 2)
      }),
      { numRuns: 25 },
    )
  })

  it('is a point where each row changed by the same, and unknown for one row', () => {
    const same = Array.from({ length: 8 }, (_, i) => pair(i, i + 1))
    expect(intervalOf(same, 95, 1)).toEqual({ low: 1, high: 1 })
    expect(intervalOf(same.slice(0, 1), 95, 1)).toBeUndefined()
  })

  it('weighs a row by its trials', () => {
    expect(difference([pair(0, 3, 3), pair(1, 1)])).toBe(1 - 0.25)
  })

  // scipy: norm.sf(t.ppf(0.5 + confidence / 200, n - 1) * (n / (n - 1)) ** 0.5)
  it.each([
    [10, 95, 0.00855064],
    [30, 95, 0.0187539],
    [30, 99, 0.00252751],
    [100, 90, 0.0475829],
    [1000, 95, 0.0248043],
  ] as const)('of %d rows at %d % cuts off %f at each end', (n, confidence, tail) => {
    expect(tailOf(n, confidence) / tail).toBeCloseTo(1, 2)
  })

  // numpy: the same resampling by another generator, 400,000 resamples.
  it.each([
    ['shares', SHARES, -0.3125, -0.0833],
    ['means', MEANS, -0.0794, -0.0244],
  ] as const)('is that of an independent implementation: %s', (_, { before, after }, low, high) => {
    const found = intervalOf(
      before.map((one, i) => pair(one, after[i]!)),
      95,
      1,
    )!
    expect(found.low).toBeCloseTo(low, 2)
    expect(found.high).toBeCloseTo(high, 2)
  })

  // By hand: mean ± t × s / √n with scipy's t.ppf(0.975, 15) = 2.13145; numbers like these are near normal.
  it('of one mean is about that of Student', () => {
    const { low, high } = intervalOfMean(
      MEANS.before.map((sum) => ({ sum, trials: 1 })),
      95,
      1,
    )!
    expect(Math.abs(low - 0.5757)).toBeLessThan(0.01)
    expect(Math.abs(high - 0.7731)).toBeLessThan(0.01)
    expect(intervalOfMean([{ sum: 1, trials: 1 }], 95, 1)).toBeUndefined()
  })

  it('seldom takes chance for a change', () => {
    // Two runs of the same model: each row passes with a chance of its own, each time anew.
    let state = 12345
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state / 2 ** 32
    }
    for (const n of [6, 20]) {
      let wrong = 0
      for (let time = 0; time < 200; time++) {
        const pairs = Array.from({ length: n }, () => {
          const chance = random()
          return pair(Number(random() < chance), Number(random() < chance))
        })
        if (intervalOf(pairs, 95, 1)!.high < 0) wrong++
      }
      expect(wrong / 200).toBeLessThanOrEqual(0.04)
    }
  })
})
