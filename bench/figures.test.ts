import { describe, expect, it } from 'vitest'
import { percentile, short, spread, table } from './figures.js'

describe('figures', () => {
  it('percentiles of sorted values', () => {
    const values = Array.from({ length: 100 }, (_, n) => n)
    expect([percentile(values, 0.5), percentile(values, 0.99), percentile([7], 0.99)]).toEqual([50, 99, 7])
    expect(percentile([], 0.5)).toBeNaN()
  })

  it('numbers are short', () => {
    expect([1234567, 12.345, 0.012345, 100, Number.NaN].map(short)).toEqual([
      '1,234,567',
      '12.3',
      '0.0123',
      '100',
      '–',
    ])
    expect(spread([1, 2, 3])).toBe('2 / 3')
  })

  it('tables are Markdown', () => {
    expect(table(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |')
  })
})
