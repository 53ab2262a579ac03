import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { withStallTimeout } from './stall-timeout.js'

/** Work that ends only when it is told to. */
const stalled = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')))
  })

it('what stalls past the limit is too slow', async () => {
  await expect(withStallTimeout(-4.99, undefined, stalled)).rejects.toMatchObject({
    code: 'TOO_SLOW',
    status: 504,
  })
})

it('a caller that goes away ends the work, and that is not slowness', async () => {
  const controller = new AbortController()
  const work = withStallTimeout(60, controller.signal, stalled)
  controller.abort()
  await expect(work).rejects.toThrow('aborted')
})

it('without a limit there is no clock', async () => {
  expect(await withStallTimeout(undefined, undefined, async (signal) => signal)).toBeUndefined()
})

it('leaves nothing on a signal that outlives the work, however it ends', async () => {
  const { signal } = new AbortController()
  expect(await withStallTimeout(60, signal, async () => 1)).toBe(1)
  await expect(withStallTimeout(60, signal, async () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  )
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
