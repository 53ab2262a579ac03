import { describe, expect, it } from 'vitest'
import { budget, markdown, percentile, same, short, spread, table } from './figures.js'

describe('figures', () => {
  it('percentiles of values', () => {
    const values = Array.from({ length: 100 }, (_, n) => 99 - n)
    expect([percentile(values, 0.5), percentile(values, 0.99), percentile([7], 0.99)]).toEqual([50, 99, 7])
    expect(percentile([], 0.5)).toBeNaN()
    expect(spread([1, 2, 3])).toEqual({ 'ms p50': 2, 'ms p99': 3 })
  })

  it('numbers are short', () =>
    expect([1234567, 12.345, 0.012345, 100, Number.NaN].map(short)).toEqual([
      '1,234,567',
      '12.3',
      '0.0123',
      '100',
      '–',
    ]))

  it('what misses a budget, or is another number, is marked', () => {
    expect([budget('≤', 30, 31), budget('≤', 30, 30), budget('≥', 2000, 1999)]).toEqual([
      '≤ 30 ✗',
      '≤ 30',
      '≥ 2,000 ✗',
    ])
    expect(budget('≤', undefined, 1)).toBe('–')
    expect([same(1, 1), same(1000, 1)]).toEqual([1, '1,000 ✗'])
  })

  it('tables are Markdown', () => {
    expect(table([{ a: 1000, b: 'x' }, { a: 2 }])).toBe('| a | b |\n| --- | --- |\n| 1,000 | x |\n| 2 | – |')
    expect(markdown(['# a', [{ b: 1 }]])).toBe('# a\n\n| b |\n| --- |\n| 1 |')
  })
})
