import { describe, expect, it } from 'vitest'
import { intervalOf } from '../../../../domain/evaluation/bootstrap'
import { judge } from '../../../../domain/evaluation/gate'
import { endedTrials } from '../../../../domain/evaluation/outcome'
import type { ResultRow, Summary } from '../../api/evaluations'
import {
  differenceOf,
  hasChanged,
  hasFailed,
  isCrashed,
  isRegression,
  marginOf,
  metricsOf,
  nameInRef,
  outcomeOf,
  pairedDifference,
  previousOf,
  printedOf,
  rangeOf,
  reached,
  spread,
  surenessOf,
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
    ended_trial_count: 60,
    failed_trial_count: 4,
    mean_model_latency_seconds: 0.5,
    predict_total_tokens: null,
    predict_total_cost: null,
  }) as unknown as Summary
const row = (runs: Record<string, unknown[]>) =>
  ({
    evaluations: Object.entries(runs).map(([evaluation_call_id, scores]) => ({
      evaluation_call_id,
      trials: scores.map((one) => ({ scores: one, ended: one !== null })),
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
      ['failed', 'count', true],
      ['latency', 'seconds', true],
      ['tokens', 'count', true],
      ['cost', 'cost', true],
    ])
    expect(metrics.map((metric) => reached(two, metric)?.value)).toEqual([
      undefined,
      2,
      4,
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

  it('takes shares of all trials that ended, and says of how many a mean is', () => {
    const known = { value_type: 'binary', pass_rate: 1, pass_true_count: 30, pass_known_count: 30 }
    const one = summary([
      stats('right', null, known),
      stats('off', null, { numeric_mean: 2, numeric_count: 50 }),
    ])
    const [right, off] = metricsOf([one])
    expect(reached(one, right!)).toMatchObject({ value: 0.5 })
    expect(reached(one, off!)).toEqual({ value: 2, scored: 50 })
    expect(reached({ ...one, ended_trial_count: 50 }, off!)).not.toHaveProperty('scored')
  })

  const mean = { id: 'scores.off.by', title: '', kind: 'mean', lowerIsBetter: false } as const
  const share = { ...mean, kind: 'share' } as const

  it('takes the mean over trials, with the path inside the score; of a share, a failure is 0', () => {
    const one = row({ a: [{ off: { by: 1 } }, { off: { by: 2 } }, {}], b: [{ 'off.by': true }], d: [null] })
    expect(outcomeOf(one, 'a', mean)).toEqual({ value: 1.5, missing: 1 - 2 / 3 })
    expect(outcomeOf(one, 'a', share)?.value).toBe(1)
    expect(outcomeOf(one, 'b', mean)).toEqual({ value: 1, missing: 0 })
    expect(outcomeOf(one, 'c', mean)).toBeUndefined()
    // It runs.
    expect(outcomeOf(one, 'd', mean)).toBeUndefined()
    expect(spread(one, ['b', 'c'], mean)).toBe(0)
    expect(spread(one, ['a', 'b'], mean)).toBe(Number.POSITIVE_INFINITY)
  })

  it('knows a regression by the first run, by what is better, and by what failed', () => {
    const one = row({ a: [{ s: 1 }], b: [{ s: 2 }], c: [{}], d: [{ s: 3 }, {}] })
    const [higher, lower] = [false, true].map((lowerIsBetter) => ({ ...mean, id: 'scores.s', lowerIsBetter }))
    expect(isRegression(one, ['a', 'b'], higher!)).toBe(false)
    expect(isRegression(one, ['a', 'b'], lower!)).toBe(true)
    expect(isRegression(one, ['b', 'a'], higher!)).toBe(true)
    expect(isRegression(one, ['c', 'a'], higher!)).toBe(false)
    for (const metric of [higher!, lower!]) expect(isRegression(one, ['a', 'c'], metric)).toBe(true)
    expect(isRegression(one, ['a', 'd'], higher!)).toBe(true)
  })

  it('filters rows by what changed, and by what failed', () => {
    const score = { ...mean, id: 'scores.s' }
    const one = row({ a: [{ s: 1 }], b: [{ s: 2 }], c: [{}], d: [{ s: 1 }] })
    const changes = (runs: string[]) =>
      (['improved', 'regressed', 'same', 'crashed'] as const).filter((change) =>
        hasChanged(one, runs, score, change),
      )
    expect(changes(['a', 'b'])).toEqual(['improved'])
    expect(changes(['b', 'a'])).toEqual(['regressed'])
    expect(changes(['a', 'd'])).toEqual(['same'])
    expect(changes(['a', 'c'])).toEqual(['regressed', 'crashed'])
    expect(changes(['c', 'a'])).toEqual(['improved'])
    expect(changes(['c'])).toContain('crashed')
    expect(isCrashed(one, 'c')).toBe(true)
    const passed = { ...score, kind: 'share' } as const
    const two = row({ a: [{ s: true }, { s: false }], b: [{ s: true }] })
    expect(hasFailed(two, 'a', passed)).toBe(true)
    expect(hasFailed(two, 'b', passed)).toBe(false)
    expect(hasFailed(one, 'a', score)).toBe(false)
    expect(rangeOf(two, 'a', passed)).toEqual([0, 1])
    expect(rangeOf(two, 'b', passed)).toBeUndefined()
  })

  it('says how sure a score is as the gate does: of each run, and of rows beside themselves', () => {
    const scores = [0.5, 0.25, 1, 0.75, 0.5, 0.125]
    const rows = scores.map((s) => row({ a: [{ s }], b: [{ s: s + 0.1 }] }))
    // A row that one run lacks is in no pair.
    const all = [...rows, row({ b: [{ s: 1 }] })]
    const score = { ...mean, id: 'scores.s' }
    const first = surenessOf(all, 'a', 'a', score)
    expect(first.difference).toBeUndefined()
    expect(first.interval!.low).toBeLessThan(0.52)
    expect(first.interval!.high).toBeGreaterThan(0.52)
    const { difference } = surenessOf(all, 'a', 'b', score)
    expect(difference).toMatchObject({ rows: 6, by: expect.closeTo(0.1, 8) })
    const pairs = scores.map((sum) => ({ before: { sum, trials: 1 }, after: { sum: sum + 0.1, trials: 1 } }))
    expect(difference!.interval!.low).toBeCloseTo(intervalOf(pairs, 95, 1)!.low, 8)
    expect(pairedDifference(difference!, { lowerIsBetter: true }).isBetter).toBe(false)
    expect(pairedDifference({ by: 1, interval: { low: -1, high: 2 }, rows: 6 }, score)).toEqual({
      by: 1,
      interval: { low: -1, high: 2 },
    })
  })

  it('counts a crashed trial as the gate of heddle eval does, whichever is better', () => {
    const rows = [
      row({ a: [{ s: 1 }, { s: 3 }], b: [{ s: 2 }, {}] }),
      row({ a: [{}], b: [{ s: 4 }] }),
      row({ a: [{ s: 2 }], b: [{}] }),
      row({ a: [{ s: 2 }] }),
    ]
    const gated = rows.slice(0, 3).map((one, i) => ({
      ...{ digest: String(i), before: endedTrials(one, 'a'), after: endedTrials(one, 'b') },
    }))
    for (const [kind, lowerIsBetter] of [
      ['mean', false],
      ['mean', true],
      ['share', false],
    ] as const) {
      const rule = { score: 's', kind, lowerIsBetter, limit: undefined, maxRegression: 0 }
      const { worseBy, interval } = judge(gated, rule, 95, 1)
      const { difference } = surenessOf(rows, 'a', 'b', { id: 'scores.s', kind, lowerIsBetter })
      expect(difference!.rows).toBe(3)
      expect(difference!.by).toBeCloseTo(lowerIsBetter ? worseBy : -worseBy, 10)
      const { low, high } = difference!.interval!
      expect([low, high]).toEqual(
        lowerIsBetter ? [interval!.low, interval!.high] : [0 - interval!.high, 0 - interval!.low],
      )
    }
  })

  it('knows the run before each one of the same evaluation, of those that ended', () => {
    const run = (id: string, name: string, ended_at: string | null = '2026-01-01T00:00:00Z') => ({
      ...{ id, inputs: { self: `weave:///e/p/object/${name}:abc` }, ended_at },
    })
    const runs = [
      run('5', 'sums'),
      run('4', 'sums', null),
      run('3', 'words'),
      run('2', 'sums'),
      run('1', 'sums'),
    ]
    expect([...previousOf(runs)].sort()).toEqual([
      ['2', '1'],
      ['5', '2'],
    ])
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
