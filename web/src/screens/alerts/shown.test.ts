import { describe, expect, it } from 'vitest'
import type { PreviewPoint } from '../../api/alerts'
import { type OnCalls, SOURCES, type Source } from './draft'
import { drawnOf, firedText, formatOf, lengthText, tomorrow } from './shown'

const calls = (more: Partial<OnCalls>): Source => ({ ...SOURCES.calls, ...more })

it.each<[string, Source, number]>([
  ['75 %', calls({}), 0.75],
  ['3', calls({ aggregation: 'sum' }), 3],
  ['12.0 s', calls({ metric: 'latency_ms', percentile: 95 }), 12_000],
  ['12', calls({ metric: 'latency_ms', aggregation: 'count' }), 12],
  ['$1.50', calls({ metric: 'total_cost', aggregation: 'sum' }), 1.5],
  ['12,345.6', SOURCES.sql, 12_345.6],
  ['-0.3333', SOURCES.feedback, -1 / 3],
])('a value is shown as %s', (text, source, value) => {
  expect(formatOf(source)(value)).toBe(text)
})

it.each([
  [60, '1 minute'],
  [900, '15 minutes'],
  [5400, '90 minutes'],
  [86_400, '1 day'],
  [61, '61 seconds'],
])('%i s are %s', (seconds, text) => {
  expect(lengthText(seconds)).toBe(text)
})

const point = (minute: number, value: number | null, more: Partial<PreviewPoint> = {}): PreviewPoint => ({
  timestamp: `2026-06-01T12:0${minute}:00Z`,
  ...{ group: null, value, count: 20, state: 'ok', ...more },
})

describe('a preview', () => {
  it('is a line of values with its thresholds', () => {
    const limits = { comparison: '>', alert_at: 10, warn_at: 5 } as const
    const { times, series } = drawnOf([point(1, 3), point(2, null), point(3, 12)], limits)
    expect(times.map((time) => time - times[0]!)).toEqual([0, 60, 120])
    expect(series).toEqual([
      { label: 'value', values: [3, null, 12] },
      { label: 'warning', limit: 'warning', values: [5, 5, 5] },
      { label: 'alert', limit: 'bad', values: [10, 10, 10] },
    ])
  })

  it.each([
    ['>', ['g7', 'g6', 'g5', 'g4', 'g3', 'g2']],
    ['<=', ['g0', 'g1', 'g2', 'g3', 'g4', 'g5']],
  ] as const)('draws the groups that are worst off by %s', (comparison, labels) => {
    const points = Array.from({ length: 8 }, (_, i) => point(i % 2, i, { group: `g${i}` }))
    const { series, left } = drawnOf(points, { comparison, alert_at: null, warn_at: null })
    expect(series.map(({ label }) => label)).toEqual(labels)
    expect(left).toBe(2)
  })

  it('says in how many windows it would have fired', () => {
    const points = [
      point(1, 1, { group: 'a', state: 'alert' }),
      point(1, 1, { group: 'b', state: 'warning' }),
      point(2, 1, { group: 'b', state: 'warning' }),
      point(3, 1, { group: 'b', count: 2 }),
    ]
    const judged = { window_seconds: 900, minimum_count: 10 }
    expect(firedText(points, 60, judged)).toBe(
      'It would have fired in 1 of 60 windows of 15 minutes, and warned in 1 more; 1 had too few rows to judge.',
    )
    expect(firedText([], 1, judged)).toBe('It would have fired in 0 of 1 window of 15 minutes.')
  })
})

it('tomorrow begins at 9:00', () => {
  expect(tomorrow(new Date('2026-12-31T23:30:00Z'), 'utc').toISOString()).toBe('2027-01-01T09:00:00.000Z')
  expect(tomorrow(new Date(2026, 11, 31, 1), 'local')).toEqual(new Date(2027, 0, 1, 9))
})
