import { describe, expect, it } from 'vitest'
import type { ResultRow, Summary } from '../../api/evaluations'
import {
  differenceOf,
  isRegression,
  marginOf,
  metricsOf,
  nameInRef,
  printedOf,
  reached,
  rowValue,
  spread,
} from './compare'

const stats = (scorer_key: string, path: string | null, more: object) => ({
  scorer_key,
  path,
  value_type: 'continuous',
  numeric_mean: null,
  pass_rate: null,
  ...more,
})
const summary = (scorer_stats: object[]) =>
  ({
    scorer_stats,
    mean_model_latency_seconds: 0.5,
    predict_total_tokens: null,
    predict_total_cost: null,
  }) as unknown as Summary
const row = (runs: Record<string, unknown[]>) =>
  ({
    evaluations: Object.entries(runs).map(([evaluation_call_id, scores]) => ({
      evaluation_call_id,
      trials: scores.map((one) => ({ scores: one })),
    })),
  }) as unknown as ResultRow

describe('comparing runs', () => {
  it('has the scores of any run, but no texts, and what a run used', () => {
    const one = summary([
      stats('right', null, { value_type: 'binary' }),
      stats('note', 'a', { value_type: 'text' }),
    ])
    const two = summary([stats('off', 'by.far', { numeric_mean: 2 })])
    const metrics = metricsOf([one, two], new Set(['scores.off.by.far']))
    expect(metrics.map(({ id, kind, lowerIsBetter }) => [id, kind, lowerIsBetter])).toEqual([
      ['scores.right', 'share', false],
      ['scores.off.by.far', 'mean', true],
      ['latency', 'seconds', true],
      ['tokens', 'tokens', true],
      ['cost', 'cost', true],
    ])
    expect(metrics.map((metric) => reached(two, metric)?.value)).toEqual([
      undefined,
      2,
      0.5,
      undefined,
      undefined,
    ])
  })

  it('calls a difference of shares better only beyond its margin', () => {
    const share = (passed: number, known: number) => ({
      value: passed / known,
      margin: marginOf(passed, known),
    })
    const higher = { lowerIsBetter: false }
    expect(differenceOf(share(5, 10), share(6, 10), higher)?.isBetter).toBeUndefined()
    expect(differenceOf(share(500, 1000), share(600, 1000), higher)?.isBetter).toBe(true)
    expect(differenceOf(share(500, 1000), share(400, 1000), higher)?.isBetter).toBe(false)
    expect(differenceOf({ value: 1 }, { value: 2 }, { lowerIsBetter: true })).toEqual({
      by: 1,
      isBetter: false,
    })
    expect(differenceOf({ value: 1 }, { value: 1 }, higher)).toEqual({ by: 0 })
    expect(differenceOf(undefined, { value: 1 }, higher)).toBeUndefined()
    // Nobody knows a share for sure from ten.
    expect(marginOf(10, 10)).toBeGreaterThan(0.1)
  })

  it('says of how many trials a score is, where others have none', () => {
    const known = { value_type: 'binary', pass_rate: 1, pass_true_count: 30, pass_known_count: 30 }
    const one = { ...summary([stats('right', null, known)]), trial_count: 60 }
    const [right] = metricsOf([one])
    expect(reached(one, right!)).toMatchObject({ value: 1, scored: 30 })
    expect(reached({ ...one, trial_count: 30 }, right!)).not.toHaveProperty('scored')
  })

  it('takes the mean over trials, with the path inside the score', () => {
    const one = row({ a: [{ off: { by: 1 } }, { off: { by: 2 } }, {}], b: [{ 'off.by': true }] })
    expect(rowValue(one, 'a', 'scores.off.by')).toBe(1.5)
    expect(rowValue(one, 'b', 'scores.off.by')).toBe(1)
    expect(rowValue(one, 'c', 'scores.off.by')).toBeUndefined()
    expect(spread(one, ['a', 'b'], 'scores.off.by')).toBe(0.5)
    expect(spread(one, ['a', 'c'], 'scores.off.by')).toBe(0)
  })

  it('knows a regression by the first run and by what is better', () => {
    const one = row({ a: [{ s: 1 }], b: [{ s: 2 }], c: [{}] })
    const [higher, lower] = [false, true].map((lowerIsBetter) => ({ id: 'scores.s', lowerIsBetter }))
    expect(isRegression(one, ['a', 'b', 'c'], higher!)).toBe(false)
    expect(isRegression(one, ['a', 'b', 'c'], lower!)).toBe(true)
    expect(isRegression(one, ['b', 'a'], higher!)).toBe(true)
    expect(isRegression(one, ['c', 'a'], higher!)).toBe(false)
  })

  it('reads refs and what SDKs print', () => {
    expect(nameInRef('weave:///e/p/object/Adder:abc')).toBe('Adder')
    expect(nameInRef('gpt')).toBe('gpt')
    expect(nameInRef(null)).toBe('')
    expect(
      printedOf({
        right: { true_count: 3, true_fraction: 0.5 },
        off: { by: { mean: 2 } },
        n: 'x',
        output: { sum: { mean: 7 } },
      }),
    ).toEqual([
      ['right', 0.5],
      ['off.by', 2],
    ])
  })
})
