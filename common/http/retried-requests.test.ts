import { expect, it } from 'vitest'
import { RetriedRequests } from './retried-requests.js'

const same = () => 'contents'

it('refuses an id that came with something else, and does not run that', async () => {
  const retried = new RetriedRequests<number>(10_000, () => 0)
  let runs = 0
  const run = async () => ++runs
  expect(await retried.once('a', 'x', same, run)).toBe(1)
  await expect(retried.once('a', 'x', () => 'other', run)).rejects.toMatchObject({
    ...{ status: 409, code: 'RETRY_ID_USED' },
  })
  expect(await retried.once('a', 'x', same, run)).toBe(1)
  expect(await retried.once('b', 'x', () => 'other', run)).toBe(2)
})

it('runs a request once: joined while under way, answered from memory after', async () => {
  const retried = new RetriedRequests<number>(10_000, () => 0)
  let runs = 0
  const run = async () => ++runs
  expect(await Promise.all([retried.once('a', 'x', same, run), retried.once('a', 'x', same, run)])).toEqual([
    1, 1,
  ])
  expect(await retried.once('a', 'x', same, run)).toBe(1)
  expect(await retried.once('a', 'y', same, run)).toBe(2)
  expect(await retried.once(undefined, 'x', same, run)).toBe(3)
  expect(await retried.once('', 'x', same, run)).toBe(4)
})

it('forgets failures, and the oldest', async () => {
  const retried = new RetriedRequests<string>(1100, () => 10)
  await expect(retried.once('a', 'x', same, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await retried.once('a', 'x', same, async () => 'yes')).toBe('yes')
  await retried.once('b', 'x', same, async () => 'b')
  await retried.once('c', 'x', same, async () => 'c')
  expect(await retried.once('a', 'x', same, async () => 'again')).toBe('again')
})

it('does not remember an answer larger than all it may remember', async () => {
  const retried = new RetriedRequests<string>(10_000, ({ length }) => length)
  await retried.once('a', 'x', same, async () => 'x'.repeat(20_000))
  expect(await retried.once('a', 'x', same, async () => 'again')).toBe('again')
})
