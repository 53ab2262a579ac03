import { expect, it } from 'vitest'
import { isTimeZone } from '../../domain/calls/read/buckets.js'
import { isMuted } from './quiet.js'

const at = (time: string) => Date.parse(time)
const nights = { days: [1, 2, 3, 4, 5], from: '22:00', to: '06:30', timezone: 'Europe/Berlin' }

// 2026-11-27 is a Friday; Berlin is an hour ahead.
it.each([
  ['2026-11-27T20:59:59Z', false],
  ['2026-11-27T21:00:00Z', true],
  ['2026-11-28T05:29:59Z', true],
  ['2026-11-28T05:30:00Z', false],
  // Saturday's evening is none of those days, nor is Sunday's; Monday's morning is after Sunday's evening.
  ['2026-11-28T22:00:00Z', false],
  ['2026-11-30T04:00:00Z', false],
  ['2026-11-30T22:00:00Z', true],
  // In summer, two hours.
  ['2026-07-01T20:00:00Z', true],
])('quiet nights of working days: %s is %s', (time, quiet) => {
  expect(isMuted([nights], 0, at(time))).toBe(quiet)
})

it('hours within a day, and a mute until a moment', () => {
  const lunch = { days: [5], from: '12:00', to: '13:00', timezone: 'UTC' }
  const [before, during, later] = ['11:59', '12:00', '13:00'].map((clock) =>
    at(`2026-11-27T${clock}:00Z`),
  ) as [...[number, number, number]]
  expect([before, during, later].map((now) => isMuted([lunch], 0, now))).toEqual([false, true, false])
  expect([before, during].map((now) => isMuted([], during, now))).toEqual([true, false])
})

it('knows time zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Base'].map(isTimeZone)).toEqual([true, true, false])
})
