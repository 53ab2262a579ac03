import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketStarts, TimeZone, usualGranularity } from './buckets.js'

const at = (text: string) => Date.parse(text) / 1000
const hours = (starts: readonly number[] | undefined) =>
  starts?.slice(1).map((start, i) => (start - starts[i]!) / 3600)

describe('buckets', () => {
  it('of a day follow the clocks of the zone', () => {
    const berlin = new TimeZone('Europe/Berlin')
    const autumn = bucketStarts(at('2026-10-24T10:00:00Z'), at('2026-10-27T10:00:00Z'), 86_400, berlin)
    expect(autumn?.[0]).toBe(at('2026-10-23T22:00:00Z'))
    expect(hours(autumn)).toEqual([24, 25, 24])
    const spring = bucketStarts(at('2026-03-28T10:00:00Z'), at('2026-03-31T10:00:00Z'), 86_400, berlin)
    expect(hours(spring)).toEqual([24, 23, 24])
  })

  it('shorter than a day begin anew at midnight', () => {
    const berlin = new TimeZone('Europe/Berlin')
    const starts = bucketStarts(at('2026-10-24T22:00:00Z'), at('2026-10-26T23:00:00Z'), 6 * 3600, berlin)
    expect(hours(starts)).toEqual([6, 6, 6, 6, 1, 6, 6, 6])
  })

  it('begin at or before the start', () => {
    const starts = bucketStarts(
      at('2026-01-01T10:20:00Z'),
      at('2026-01-01T12:00:00Z'),
      3600,
      new TimeZone('UTC'),
    )
    expect(starts).toEqual(['10', '11'].map((hour) => at(`2026-01-01T${hour}:00:00Z`)))
  })

  it('of several days count by the calendar', () => {
    const starts = bucketStarts(
      at('2026-01-01T10:20:00Z'),
      at('2026-01-20T12:00:00Z'),
      7 * 86_400,
      new TimeZone('UTC'),
    )
    expect(hours(starts)).toEqual([168, 168])
  })

  it('know zones whose midnight does not exist on some day', () => {
    // Beirut's clocks go from 00:00 to 01:00.
    const zone = new TimeZone('Asia/Beirut')
    expect(zone.startOfDay(at('2026-03-29T12:00:00Z'))).toBe(at('2026-03-28T22:00:00Z'))
  })

  it('are refused where they are too many, and zones that are none', () => {
    expect(bucketStarts(0, 31 * 86_400, 60, new TimeZone('UTC'))).toBeUndefined()
    expect(() => new TimeZone('Middle/Earth')).toThrow(RangeError)
  })

  it.each([
    [1, 300],
    [2, 300],
    [3, 3600],
    [12, 3600],
    [24, 6 * 3600],
    [3 * 24, 6 * 3600],
    [7 * 24, 12 * 3600],
    [14 * 24, 12 * 3600],
    [31 * 24, 86_400],
  ])('of %s h are as long as clients expect', (length, seconds) =>
    expect(usualGranularity(at('2026-01-01T00:00:00Z'), at('2026-01-01T00:00:00Z') + length * 3600)).toBe(
      seconds,
    ),
  )

  it('cover the time without gaps, in order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2026-12-01T00:00:00Z') }),
        fc.integer({ min: 1, max: 31 * 86_400 }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
        fc.constantFrom(undefined, 300, 7 * 3600, 86_400, 90_000, 3 * 86_400),
        (start, length, zone, asked) => {
          const granularity = asked ?? usualGranularity(start, start + length)
          const starts = bucketStarts(start, start + length, granularity, new TimeZone(zone))!
          expect(starts[0]).toBeLessThanOrEqual(start)
          expect(starts.at(-1)).toBeLessThan(start + length)
          for (const hour of hours(starts)!) {
            expect(hour).toBeGreaterThan(0)
            expect(hour * 3600).toBeLessThanOrEqual(granularity + 3600 * 2)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
