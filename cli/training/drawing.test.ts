import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joined, short, usualMetrics } from '../../web/curves.js'
import { drawing, ticks } from './drawing.js'

const job = (label: string, losses: number[]) => ({
  label,
  model: label,
  points: losses.map((loss, i) => ({ step: i + 1, metrics: { loss, learning_rate: 0.001, other: 1 } })),
})

describe('an axis', () => {
  it.each([
    [0, 1, 4, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0, 12, 4, [0, 2.5, 5, 7.5, 10]],
    [0.2, 0.9, 4, [0.2, 0.4, 0.6, 0.8]],
    [-3, 3, 3, [-2, 0, 2]],
    [7, 7, 4, [7]],
  ])('from %d to %d', (from, to, count, expected) => expect(ticks(from, to, count)).toEqual(expected))

  it('has a few round numbers within its range, whatever that is', () => {
    const number = fc.double({ min: -1e12, max: 1e12, noNaN: true })
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        fc.pre(high - low > 1e-6 * Math.max(Math.abs(low), Math.abs(high), 1e-6))
        const found = ticks(low, high, 4)
        expect(found.length).toBeLessThan(12)
        for (const one of found)
          expect(one >= low - 1e-6 * (high - low) && one <= high + 1e-6 * (high - low)).toBe(true)
      }),
    )
  })

  it.each([
    [0, '0'],
    [1234.5, '1235'],
    [0.25, '0.25'],
    [0.0002, '2e-4'],
    [0.000234, '2.34e-4'],
    [12_345, '12.35k'],
    [3e9, '3G'],
  ])('says %d as %s', (value, text) => expect(short(value)).toBe(text))
})

describe('a drawing', () => {
  it('shows what matters of several jobs', () => {
    expect(usualMetrics([job('a', [1])])).toEqual(['loss', 'learning_rate'])
    expect(drawing([job('first', [3, 2, 1]), job('second', [2])])).toMatchSnapshot()
  })

  it('joins the jobs of a model, each behind the one before', () => {
    const lines = joined([job('a', [4, 3]), job('b', [9]), job('a', []), job('a', [2])])
    const steps = lines.map(({ label, points }) => [
      label,
      points.map(({ step, metrics }) => [step, metrics.loss]),
    ])
    const a = [
      [1, 4],
      [2, 3],
      [3, 2],
    ]
    expect(steps).toEqual([
      ['a', a],
      ['b', [[1, 9]]],
    ])
  })

  it('is smoothed towards what came before', () => {
    const [rough, smooth] = [0, 0.9].map((share) => drawing([job('a', [0, 1, 0, 1])], ['loss'], share))
    const heights = (svg: string | undefined) =>
      (/<polyline points="([^"]*)"/.exec(svg ?? '')?.[1] ?? '').split(' ').map((one) => one.split(',')[1])
    expect(new Set(heights(rough)).size).toBe(2)
    expect(new Set(heights(smooth)).size).toBeGreaterThan(2)
  })

  it('says so where there is nothing', () =>
    expect(drawing([job('a', [])], ['loss'])).toContain('nothing yet'))

  it('holds no markup of its labels, and no number that is none', () => {
    const metrics: Record<string, number>[] = [{ '<b>': Number.NaN, loss: 1e308 }, { loss: -1e308 }]
    const points = metrics.map((one, step) => ({ step, metrics: one }))
    const bad = { label: '<script>"&\u0000', model: 'm', points }
    const svg = drawing([bad], ['<b>', 'loss'])
    expect(svg).not.toMatch(/<script|<b>|NaN|Infinity/)
    expect(svg).not.toContain('\u0000')
  })

  it('has no more points than a screen', () => {
    const many = job(
      'a',
      Array.from({ length: 100_000 }, (_, i) => Math.sin(i)),
    )
    expect(drawing([many], ['loss']).length).toBeLessThan(30_000)
  })
})
