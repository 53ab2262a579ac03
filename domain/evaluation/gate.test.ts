import { describe, expect, it } from 'vitest'
import { figure, type GateRow, judge, type Rule, statement } from './gate.js'

const rule = (more: Partial<Rule> = {}): Rule => ({
  ...{ score: 'right', kind: 'share', lowerIsBetter: false, limit: undefined, maxRegression: 0 },
  ...more,
})
const trial = (score: unknown) => ({ ended: true, scores: score === undefined ? {} : { right: score } })
/** A row for each pair of scores; undefined: the trial failed. */
const rows = (...pairs: [unknown, unknown][]): GateRow[] =>
  pairs.map(([before, after], i) => ({
    digest: `row ${String(i).padStart(3, '0')}`,
    before: [trial(before)],
    after: [trial(after)],
  }))
const times = <T>(count: number, of: T): T[] => Array.from({ length: count }, () => of)
const judged = (some: GateRow[], more: Partial<Rule> = {}) => judge(some, rule(more), 95, 1)

describe('a gate', () => {
  it('fails what got worse for sure, and says by how much', () => {
    const found = judged(
      rows(
        ...times(30, [true, true] as [boolean, boolean]),
        ...times(10, [true, false] as [boolean, boolean]),
      ),
    )
    expect(found).toMatchObject({ verdict: 'failed', before: 1, after: 0.75, worseBy: 0.25, rows: 40 })
    expect(found.because).toEqual([
      expect.stringMatching(/^worse by 0\.25, 95 % interval 0\.1\d* to 0\.4\d*; 0 is allowed$/),
    ])
    expect(found.worse).toHaveLength(10)
  })

  it('passes what chance explains, and says so', () => {
    const mixed = rows(
      ...times(14, [true, true] as [boolean, boolean]),
      [true, false],
      [true, false],
      [false, true],
    )
    expect(judged(mixed)).toMatchObject({
      verdict: 'passed',
      because: [expect.stringContaining('it may be chance')],
    })
    expect(judged(rows([1, 0]))).toMatchObject({
      verdict: 'passed',
      interval: undefined,
      because: ["worse by 1, but one row can't show whether by chance"],
    })
  })

  it('passes what is allowed to get worse, unless it is surely more', () => {
    const down = rows(...Array.from({ length: 20 }, (_, i) => [i / 20, i / 20 - 0.1] as [number, number]))
    const mean = (maxRegression: number) => judged(down, { kind: 'mean', maxRegression }).verdict
    expect([mean(0.05), mean(0.1), mean(0.2)]).toEqual(['failed', 'passed', 'passed'])
  })

  it('holds to a minimum, and to a maximum where less is better, whatever the baseline had', () => {
    const better = rows([0, 0.4], [0.2, 0.6])
    expect(judged(better, { kind: 'mean', limit: 0.5 }).verdict).toBe('passed')
    expect(judged(better, { kind: 'mean', limit: 0.51 })).toMatchObject({
      verdict: 'failed',
      because: ['0.5 is below the minimum of 0.51'],
    })
    expect(
      judged(better, { kind: 'mean', limit: 0.4, lowerIsBetter: true, maxRegression: 1 }).because,
    ).toEqual(['0.5 is above the maximum of 0.4'])
  })

  it('counts a crash: of a share as not passed, of a mean as the worst score there is', () => {
    const crash = rows([true, true], [true, undefined])
    expect(judged(crash)).toMatchObject({ before: 1, after: 0.5, missing: { before: 0, after: 1 } })
    const mean = judged(rows([3, 4], [5, undefined]), { kind: 'mean' })
    expect(mean).toMatchObject({ before: 4, after: 3.5, missingCountsAs: 3 })
    expect(mean.worse).toEqual([{ digest: 'row 001', before: 5, after: 3 }])
    const lower = judged(rows([3, 2], [5, undefined]), { kind: 'mean', lowerIsBetter: true })
    expect(lower).toMatchObject({ before: 4, after: 3.5, missingCountsAs: 5 })
  })

  it('takes shares of all trials, and leaves out those that run', () => {
    const row = {
      digest: 'a',
      before: times(4, trial(true)),
      after: [...times(2, trial(true)), trial(false)],
    }
    const running = { ...row, after: [...row.after, { ended: false, scores: {} }] }
    expect(judged([running, ...rows([true, true])])).toMatchObject({ before: 1, after: 3 / 4 })
  })

  it('lists the rows that got worse, the worst first, by what is better', () => {
    const some = rows([5, 4], [5, 1], [1, 5])
    const digests = (lowerIsBetter: boolean) =>
      judged(some, { kind: 'mean', lowerIsBetter }).worse.map(({ digest }) => digest)
    expect(digests(false)).toEqual(['row 001', 'row 000'])
    expect(digests(true)).toEqual(['row 002'])
  })

  it('says plainly what an interval is of', () => {
    expect(statement(0.04, { low: 0.01, high: 0.07 }, 95)).toBe('worse by 0.04, 95 % interval 0.01 to 0.07')
    expect(statement(-0.04, { low: -0.07, high: -0.01 }, 90)).toBe(
      'better by 0.04, 90 % interval 0.01 to 0.07',
    )
    expect(statement(0, { low: 0, high: 0 }, 95)).toBe('no difference')
    expect([0.041234, 1234567, -0, 1e-9].map(figure)).toEqual(['0.0412', '1230000', '0', '1e-9'])
  })
})
