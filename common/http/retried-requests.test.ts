import { expect, it } from 'vitest'
import { RetriedRequests } from './retried-requests.js'

it('runs a request once: joined while under way, answered from memory after', async () => {
  const retried = new RetriedRequests<number>(10_000, () => 0)
  let runs = 0
  const run = async () => ++runs
  expect(await Promise.all([retried.once('a', 'x', run), retried.once('a', 'x', run)])).toEqual([1, 1])
  expect(await retried.once('a', 'x', run)).toBe(1)
  expect(await retried.once('a', 'y', run)).toBe(2)
  expect(await retried.once(undefined, 'x', run)).toBe(3)
  expect(await retried.once('', 'x', run)).toBe(4)
})

it('forgets failures, and the oldest', async () => {
  const retried = new RetriedRequests<string>(1100, () => 10)
  await expect(retried.once('a', 'x', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await retried.once('a', 'x', async () => 'yes')).toBe('yes')
  await retried.once('b', 'x', async () => 'b')
  await retried.once('c', 'x', async () => 'c')
  expect(await retried.once('a', 'x', async () => 'again')).toBe('again')
})

it('does not remember an answer larger than all it may remember', async () => {
  const retried = new RetriedRequests<string>(10_000, ({ length }) => length)
  await retried.once('a', 'x', async () => 'x'.repeat(20_000))
  expect(await retried.once('a', 'x', async () => 'again')).toBe('again')
})
