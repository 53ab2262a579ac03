/** The cases are what the Python SDK's `auto_summarize` makes of the same rows. */
import { describe, expect, it } from 'vitest'
import { Summary } from './summary.js'

function summaryOf(scores: unknown[], output: unknown[] = []): Record<string, unknown> {
  const summary = new Summary(['s'])
  for (const [i, score] of scores.entries()) {
    const one = score === undefined ? {} : { s: score }
    summary.add({ output: output[i] ?? null, scores: one, model_latency: 0.5 })
  }
  return summary.result()
}

describe('a scorer', () => {
  it.each<[unknown[], unknown]>([
    [[true, false, true], { true_count: 2, true_fraction: 2 / 3 }],
    [[1, 2, 3], { mean: 2 }],
    [
      [
        { a: true, b: 1 },
        { a: false, b: 3 },
      ],
      { a: { true_count: 1, true_fraction: 0.5 }, b: { mean: 2 } },
    ],
    // Texts and lists are summed up to nothing.
    [[{ a: 'x', b: [1] }, { a: 'y' }], null],
    [['x', 'y'], null],
    [[null, 1], { mean: 1 }],
    // A row without a score counts against a fraction and not against a mean.
    [[{ ok: true }, undefined], { ok: { true_count: 1, true_fraction: 0.5 } }],
    [[{ n: 4 }, undefined], { n: { mean: 4 } }],
    [[undefined, undefined], null],
    // The first value decides what the column is.
    [[true, 5, 0], { true_count: 2, true_fraction: 2 / 3 }],
    [[{ a: { b: { c: true } } }], { a: { b: { c: { true_count: 1, true_fraction: 1 } } } }],
    // A member with the name of its own statistic is replaced by it.
    [[{ mean: 3 }, { mean: 5 }], { mean: 4 }],
  ])('of %j is %j', (scores, expected) => {
    expect(summaryOf(scores).s).toEqual(expected)
  })
})

describe('a run', () => {
  it('has its outputs, scorers and latency, in this order', () => {
    expect(Object.entries(summaryOf([true, true], [1, 3]))).toEqual([
      ['output', { mean: 2 }],
      ['s', { true_count: 2, true_fraction: 1 }],
      ['model_latency', { mean: 0.5 }],
    ])
  })

  it('without rows has nothing', () => {
    expect(new Summary([]).result()).toEqual({})
  })

  it('leaves out outputs that are summed up to nothing', () => {
    expect(Object.keys(summaryOf([true], ['text']))).toEqual(['s', 'model_latency'])
  })
})
