import { expect, it } from 'vitest'
import { RetriedRequests } from './retried-requests.js'

const same = () => 'x'

it('runs what comes with the id of something else', async () => {
  const retried = new RetriedRequests<number>(10_000, () => 0)
  let runs = 0
  const run = async () => ++runs
  expect(await retried.once('a', same, run)).toBe(1)
  expect(await retried.once('a', () => 'other', run)).toBe(2)
  expect(await retried.once('a', same, run)).toBe(1)
})

it('runs a request once: joined while under way, answered from memory after', async () => {
  const retried = new RetriedRequests<number>(10_000, () => 0)
  let runs = 0
  const run = async () => ++runs
  expect(await Promise.all([retried.once('a', same, run), retried.once('a', same, run)])).toEqual([1, 1])
  expect(await retried.once('a', same, run)).toBe(1)
  expect(await retried.once('a', () => 'y', run)).toBe(2)
  expect(await retried.once(undefined, same, run)).toBe(3)
  expect(await retried.once('', same, run)).toBe(4)
})

it('forgets failures, and the oldest', async () => {
  const retried = new RetriedRequests<string>(1100, () => 10)
  await expect(retried.once('a', same, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await retried.once('a', same, async () => 'yes')).toBe('yes')
  await retried.once('b', same, async () => 'b')
  await retried.once('c', same, async () => 'c')
  expect(await retried.once('a', same, async () => 'again')).toBe('again')
})

it('does not remember an answer larger than all it may remember', async () => {
  const retried = new RetriedRequests<string>(10_000, ({ length }) => length)
  await retried.once('a', same, async () => 'x'.repeat(20_000))
  expect(await retried.once('a', same, async () => 'again')).toBe('again')
})

it('tells those who wait of an answer that is not to be kept, and runs the next try', async () => {
  const retried = new RetriedRequests<number>(
    10_000,
    () => 0,
    (answer) => answer > 1,
  )
  let runs = 0
  const run = async () => ++runs
  expect(await Promise.all([retried.once('a', same, run), retried.once('a', same, run)])).toEqual([1, 1])
  expect(await retried.once('a', same, run)).toBe(2)
  expect(await retried.once('a', same, run)).toBe(2)
})
