import { expect, it } from 'vitest'
import { ApiError } from '../api/client'
import { isWorthARetry, retryDelay } from './connection'

it('waits as long as a busy service says, and not for ever', () => {
  const busy = (retryAfter?: number) => new ApiError(429, 'BUSY', 'busy', retryAfter)
  expect(retryDelay(0, busy(2_000))).toBe(2_000)
  expect(retryDelay(0, busy(3_600_000))).toBe(30_000)
  expect([0, 1, 2].map((times) => retryDelay(times, busy()))).toEqual([1_000, 2_000, 4_000])
  // It goes on by itself, where three tries would have ended.
  expect(isWorthARetry(10, busy(2_000))).toBe(true)
  expect(isWorthARetry(0, new ApiError(422, 'WRONG', 'wrong'))).toBe(false)
})
