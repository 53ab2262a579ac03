import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStorableTime, microsOf } from './micros.js'

describe('microsOf', () => {
  it.each([
    ['2026-01-01T00:00:01.500000Z', 1_767_225_601_500_000],
    ['2026-01-01T00:00:01.5z', 1_767_225_601_500_000],
    ['2026-01-01 00:00:01', 1_767_225_601_000_000],
    ['2026-01-01t00:00', 1_767_225_600_000_000],
    ['2026-01-01', 1_767_225_600_000_000],
    ['2026-01-01T00:00:01.123456789+00:00', 1_767_225_601_123_456],
    ['2026-01-01T02:00:00+02:00', 1_767_225_600_000_000],
    ['2025-12-31T18:30:00-0530', 1_767_225_600_000_000],
    ['2024-02-29T23:59:59.999999Z', 1_709_251_199_999_999],
    ['1970-01-01T00:00:00Z', 0],
    ['1969-12-31T23:59:59Z', -1_000_000],
  ])('%s is %d', (text, micros) => {
    expect(microsOf(text)).toBe(micros)
  })

  it.each([
    ...[
      '',
      'now',
      '2026',
      '2026-13-01',
      '2026-00-01',
      '2026-02-29',
      '2026-04-31',
      '2026-01-01T',
      '2026-01-01T24:00:00',
    ],
    ...[
      '2026-01-01T00:60',
      '2026-01-01T00:00:60',
      '2026-01-01T00:00:',
      '2026-01-01T00:00:01.',
      '2026-01-01T00:00:01,5',
    ],
    ...[
      '2026-01-01T00:00:01+',
      '2026-01-01T00:00:01+1',
      '2026-01-01T00:00:01+24:00',
      '2026-01-01T00:00:01ZZ',
      '1735689600',
    ],
    ...[
      '2026-01-01T00:00:01 Z',
      ' 2026-01-01',
      '2026/01/01',
      '2026-1-1',
      '+2026-01-01',
      '20260101T000000Z',
      '２026-01-01',
    ],
  ])('%j is no time', (text) => {
    expect(microsOf(text)).toBeNaN()
  })

  it('agrees with Date, in any zone', () => {
    const time = fc.date({ min: new Date('1900-01-01'), max: new Date('2399-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(time, fc.integer({ min: -1439, max: 1439 }), fc.nat(999), (date, ahead, micros) => {
        const there = new Date(date.getTime() + ahead * 60_000).toISOString().slice(0, -1)
        const size = Math.abs(ahead)
        const clock = [Math.floor(size / 60), size % 60]
          .map((part) => String(part).padStart(2, '0'))
          .join(':')
        const text = `${there}${String(micros).padStart(3, '0')}${ahead < 0 ? '-' : '+'}${clock}`
        expect(microsOf(text)).toBe(date.getTime() * 1000 + micros)
      }),
    )
  })
})

describe('isStorableTime', () => {
  it.each([
    ['1970-01-01T00:00:00Z', false],
    ['1970-01-01T00:00:00.000001Z', true],
    ['2254-12-31T23:59:59.999999Z', true],
    ['2255-01-01', false],
    ['1969-01-01', false],
  ])('%s: %s', (text, expected) => {
    expect(isStorableTime(microsOf(text))).toBe(expected)
  })

  it('is false for what is no time', () => {
    expect(isStorableTime(Number.NaN)).toBe(false)
  })
})
