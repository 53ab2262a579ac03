import { describe, expect, it } from 'vitest'
import { largest, legendValue, stacked } from './series'

const of = (label: string, ...values: (number | null)[]) => ({ label, values })

describe('series', () => {
  it('stand on top of each other', () => {
    expect(stacked([of('a', 1, null, 3), of('b', 1, 2, null)])).toEqual([
      [1, 0, 3],
      [2, 2, 3],
    ])
    expect(stacked([])).toEqual([])
  })

  it('are the largest ones, and the others as one', () => {
    const all = [of('a', 1, 1), of('b', 5, null), of('c', 2, 1), of('d', 0, 1)]
    expect(largest(all, 4).map(({ label }) => label)).toEqual(['b', 'c', 'a', 'd'])
    expect(largest(all, 3)).toEqual([of('b', 5, null), of('c', 2, 1), of('2 others', 1, 2)])
  })

  it('say their value at a time, their sum or what was known last', () => {
    const values = of('a', 1, 2, null)
    expect(legendValue(values, 1, true)).toBe(2)
    expect(legendValue(values, 2, true)).toBe(null)
    expect(legendValue(values, undefined, true)).toBe(3)
    expect(legendValue(values, undefined, false)).toBe(2)
    expect(legendValue(of('a', null), undefined, false)).toBe(null)
  })
})
