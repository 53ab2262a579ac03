import { expect, it } from 'vitest'
import { each } from './pool.js'

const never = new AbortController().signal

async function* numbers(count: number): AsyncGenerator<number> {
  for (let i = 0; i < count; i++) yield i
}
const turn = () => new Promise(setImmediate)

it('runs all items, with limited concurrency', async () => {
  let now = 0
  let most = 0
  const done: number[] = []
  await each(numbers(50), 4, never, async (one) => {
    most = Math.max(most, ++now)
    await turn()
    done.push(one)
    now--
  })
  expect(done).toHaveLength(50)
  expect(most).toBe(4)
})

it('throws the first failure once running work has ended, and starts no more', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const failing = each(numbers(50), 3, never, async (one, signal) => {
    begun.push(one)
    await turn()
    if (one === 1) throw new Error('no')
    while (!signal.aborted) await turn()
    ended.push(one)
  })
  await expect(failing).rejects.toThrow('no')
  expect(begun.length).toBeLessThan(6)
  expect(ended).toHaveLength(begun.length - 1)
})

it('stops when its signal is aborted', async () => {
  const stop = new AbortController()
  const failing = each(numbers(50), 2, stop.signal, async (one) => {
    if (one === 3) stop.abort(new Error('enough'))
    await turn()
  })
  await expect(failing).rejects.toThrow('enough')
})
