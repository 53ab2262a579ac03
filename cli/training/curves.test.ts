import { describe, expect, it } from 'vitest'
import { joined, seriesOf, short, usualMetrics } from '../../web/curves.js'
import { plot } from './curves.js'

const job = (label: string, losses: number[]) => ({
  label,
  model: label,
  points: losses.map((loss, i) => ({ step: i + 1, metrics: { loss, learning_rate: 0.001, other: 1 } })),
})
const WIDTH = 60

it.each([
  [0, '0'],
  [1234.5, '1235'],
  [0.25, '0.25'],
  [0.0002, '2e-4'],
  [0.000234, '2.34e-4'],
  [12_345, '12.35k'],
  [3e9, '3G'],
])('says %d as %s', (value, text) => expect(short(value)).toBe(text))

describe('a plot', () => {
  it('shows what matters of several jobs', () => {
    const jobs = [job('first', [3, 2, 1, 0.5, 0.4]), job('second', [2])]
    expect(usualMetrics(jobs)).toEqual(['loss', 'learning_rate'])
    expect(plot('loss', seriesOf(jobs, 'loss'), WIDTH)).toMatchSnapshot()
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
    const distinct = (smooth: number) =>
      new Set(seriesOf([job('a', [0, 1, 0, 1])], 'loss', smooth)[0]?.points.map(([, value]) => value)).size
    expect(distinct(0)).toBe(2)
    expect(distinct(0.9)).toBeGreaterThan(2)
  })

  it('says so where there is nothing', () =>
    expect(plot('loss', seriesOf([job('a', [])], 'loss'), WIDTH)).toBe('Loss: no values yet\n'))

  it('has no control characters of its labels, and no number that is none', () => {
    const metrics: Record<string, number>[] = [{ loss: Number.NaN }, { loss: 1e308 }, { loss: 2 }]
    const points = metrics.map((one, step) => ({ step, metrics: one }))
    const text = plot('loss', seriesOf([{ label: 'a\u001b[2J\u0000', model: 'm', points }], 'loss'), WIDTH)
    expect(text).not.toMatch(/NaN|Infinity/)
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  it('is as wide as the terminal, however many steps there are', () => {
    const many = job(
      'a',
      Array.from({ length: 100_000 }, (_, i) => Math.sin(i / 5000)),
    )
    const lines = plot('loss', seriesOf([many], 'loss'), WIDTH).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(WIDTH)
  })
})
