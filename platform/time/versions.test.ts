import { expect, it } from 'vitest'
import { VersionClock } from './versions.js'

it('gives each version once, in order, whatever the clock does', () => {
  let now = 100
  const clock = new VersionClock(() => now)
  expect(clock.reserve(3)).toBe(100)
  expect(clock.reserve(1)).toBe(103)
  now = 50
  expect(clock.reserve(1)).toBe(104)
  now = 500
  expect(clock.reserve(1)).toBe(500)
  clock.startAbove(900)
  expect(clock.reserve(2)).toBe(901)
  clock.startAbove(10)
  expect(clock.reserve(1)).toBe(903)
})
