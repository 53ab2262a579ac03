import { expect, it } from 'vitest'
import { Backoff, waitAfter } from './backoff.js'

it('doubles every wait up to the longest, and starts again after a reset', async () => {
  const backoff = new Backoff({ firstMs: 1, longestMs: 4 })
  const waits: number[] = []
  const { signal } = new AbortController()
  for (let i = 0; i < 5; i++) {
    waits.push(backoff.nextMs)
    await backoff.wait(signal)
  }
  expect(waits).toEqual([1, 2, 4, 4, 4])
  backoff.reset()
  expect(backoff.nextMs).toBe(1)
})

it('ends a wait when its signal aborts', async () => {
  await new Backoff({ firstMs: 3_600_000, longestMs: 3_600_000 }).wait(AbortSignal.abort())
})

it('never waits longer than the longest, however often it was tried', () => {
  expect(waitAfter(5000, { firstMs: 1, longestMs: 60_000 })).toBe(60_000)
})
