import { expect, it } from 'vitest'
import { HeddleError } from './error.js'

it('a reason repeats at most so much of what was sent', () => {
  const long = new HeddleError('NOT_FOUND', 404, `There is no ${'x'.repeat(1_000_000)}.`)
  expect(long.reason).toHaveLength(2001)
  expect(long.reason.startsWith('There is no x')).toBe(true)
  expect(long.message).toBe(long.reason)
  expect(long.body()).toEqual({ reason: long.reason, code: 'NOT_FOUND' })
  expect(new HeddleError('NOT_FOUND', 404, 'There is no x.').reason).toBe('There is no x.')
})
