import { expect, it } from 'vitest'
import { isoOfMicros, isoOrNull, nowMicros } from './iso.js'

it.each([
  [1_767_225_601_500_000, '2026-01-01T00:00:01.500000Z'],
  [1_767_225_601_000_000, '2026-01-01T00:00:01Z'],
  [1_767_225_601_000_001, '2026-01-01T00:00:01.000001Z'],
  [0, '1970-01-01T00:00:00Z'],
  [-1, '1969-12-31T23:59:59.999999Z'],
])('%i is %s', (micros, text) => {
  expect(isoOfMicros(micros)).toBe(text)
})

it('the epoch means unset where it may', () => {
  expect(isoOrNull(0)).toBeNull()
})

it('never gives one moment twice', () => {
  const moments = Array.from({ length: 1000 }, nowMicros)
  expect(moments.every((moment, i) => i === 0 || moment > moments[i - 1]!)).toBe(true)
})
