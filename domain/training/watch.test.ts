import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Check, theilSen, verdict } from './watch.js'

const rule = { window: 5, min_change: 0.05 }
const number = fc.double({ min: -100, max: 100, noNaN: true })
const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), number), { maxLength: 12 })
const line = (values: readonly [number, number][], from = 0): Check[] =>
  values.map(([reward, held_out], i) => ({ step: from + i, reward, held_out }))

describe('the slope', () => {
  it('is that which numpy finds', () => {
    // numpy: np.median([(y[j] - y[i]) / (x[j] - x[i]) for i < j if x[i] != x[j]])
    const vectors = JSON.parse(readFileSync(new URL('watch-vectors.json', import.meta.url), 'utf8')) as {
      points: [number, number][]
      slope: number
    }[]
    for (const { points: given, slope } of vectors) expect(theilSen(given)).toBeCloseTo(slope, 9)
  })

  it('of points on a line is the slope of the line, and turns with it', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { minLength: 2 }),
        number,
        number,
        (xs, a, b) => {
          expect(theilSen(xs.map((x) => [x, a * x + b]))).toBeCloseTo(a, 6)
        },
      ),
    ))

  it('does not depend on the order, and changes its sign with the values', () =>
    fc.assert(
      fc.property(points, (given) => {
        expect(theilSen([...given].reverse())).toBeCloseTo(theilSen(given), 9)
        expect(theilSen(given.map(([x, y]) => [x, -y]))).toBeCloseTo(-theilSen(given), 9)
      }),
    ))
})

describe('a job', () => {
  const curves = fc.array(fc.tuple(number, number), { minLength: 5, maxLength: 12 })

  it('is paused if the reward rises while the held-out score falls, and only by the last checks', () =>
    fc.assert(
      fc.property(curves, fc.double({ min: 0.02, max: 1, noNaN: true }), (before, by) => {
        const apart = Array.from({ length: 5 }, (_, i): [number, number] => [i * by, -i * by])
        expect(verdict(line([...before, ...apart]), rule)).toMatchObject({ pause: true })
        const together = apart.map(([up]): [number, number] => [up, up])
        expect(verdict(line([...before, ...together]), rule).pause).toBe(false)
        const flat = apart.map(([up]): [number, number] => [up, 0])
        expect(verdict(line([...before, ...flat]), rule).pause).toBe(false)
      }),
    ))

  it('is paused by checks that lie as far apart as they like, and never by their mirror', () =>
    fc.assert(
      fc.property(curves, fc.integer({ min: 1, max: 100 }), (values, apart) => {
        const checks = line(values).map((check) => ({ ...check, step: check.step * apart }))
        const found = verdict(checks, rule)
        expect(found.pause).toBe(verdict(line(values), rule).pause)
        const mirror = checks.map(({ step, reward, held_out }) => ({
          step,
          reward: held_out,
          held_out: reward,
        }))
        expect(found.pause && verdict(mirror, rule).pause).toBe(false)
      }),
    ))

  it('is not paused by fewer checks than the window, nor by a single odd one', () => {
    const apart = Array.from({ length: 4 }, (_, i): [number, number] => [i, -i])
    expect(verdict(line(apart), rule).pause).toBe(false)
    const odd = Array.from({ length: 5 }, (_, i): [number, number] => [i, i === 4 ? -100 : 0.5])
    expect(verdict(line(odd), rule).pause).toBe(false)
  })
})
