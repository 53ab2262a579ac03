import { expect, it } from 'vitest'
import { drawnOf } from './series.js'

const meta = (...types: string[]) => types.map((type, i) => ({ name: `c${i}`, type }))

it('draws numbers over times, by the other columns', () => {
  const data = [
    { c0: '2026-01-01 00:00:00', c1: 'a', c2: 1 },
    { c0: '2026-01-01 01:00:00', c1: 'b', c2: 5 },
    { c0: '2026-01-01 01:00:00', c1: 'a', c2: null },
  ]
  expect(drawnOf({ meta: meta("DateTime('UTC')", 'String', 'Nullable(Float64)'), data })).toEqual({
    times: [Date.UTC(2026, 0, 1) / 1000, Date.UTC(2026, 0, 1, 1) / 1000],
    series: [
      { label: 'b', values: [null, 5] },
      { label: 'a', values: [1, null] },
    ],
  })
})

it('reads days', () => {
  expect(drawnOf({ meta: meta('Date', 'UInt64'), data: [{ c0: '2026-01-02', c1: 3 }] })).toEqual({
    times: [Date.UTC(2026, 0, 2) / 1000],
    series: [{ label: 'c1', values: [3] }],
  })
})

it('draws nothing without times or numbers', () => {
  expect(drawnOf({ meta: meta('String', 'UInt8'), data: [] })).toBeUndefined()
  expect(drawnOf({ meta: meta('Date', 'String'), data: [] })).toBeUndefined()
})
