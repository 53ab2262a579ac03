import { describe, expect, it, vi } from 'vitest'
import { Batcher } from './batcher.js'

/** Work that ends when it is told to. */
function manual() {
  const batches: { items: number[]; end: (error?: Error) => void }[] = []
  let arrived: () => void = () => undefined
  const work = (items: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      batches.push({
        items: [...items],
        end: (error) => (error ? reject(error) : resolve(items.map((n) => n * 2))),
      })
      arrived()
    })
  const batch = async (i: number) => {
    while (batches.length <= i)
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
    return batches[i]!
  }
  return { work, batch, batches }
}

describe('what is asked for at the same time', () => {
  it('is one batch, answered in order; what comes meanwhile is the next', async () => {
    const { work, batch, batches } = manual()
    const batcher = new Batcher(work)
    const first = [1, 2].map((n) => batcher.ask(n))
    await batch(0)
    const second = [3, 4, 5].map((n) => batcher.ask(n))
    expect(batches.map(({ items }) => items)).toEqual([[1, 2]])
    batches[0]!.end()
    expect(await Promise.all(first)).toEqual([2, 4])
    ;(await batch(1)).end()
    expect(await Promise.all(second)).toEqual([6, 8, 10])
    expect(batches[1]!.items).toEqual([3, 4, 5])
  })

  it('is worked on in as many batches at once as may be, in batches of limited size and weight', async () => {
    const { work, batch, batches } = manual()
    const batcher = new Batcher(work, { concurrency: 2, items: 2, weight: 10, weigh: (n) => n })
    const all = [1, 2, 20, 3, 4, 5].map((n) => batcher.ask(n))
    await batch(1)
    expect(batches.map(({ items }) => items)).toEqual([[1, 2], [20]])
    batches[1]!.end()
    ;(await batch(2)).end()
    batches[0]!.end()
    ;(await batch(3)).end()
    expect(await Promise.all(all)).toEqual([2, 4, 40, 6, 8, 10])
    expect(batches.slice(2).map(({ items }) => items)).toEqual([[3, 4], [5]])
  })

  it('fails together, and what comes later does not', async () => {
    const { work, batch } = manual()
    const batcher = new Batcher(work)
    const failed = [batcher.ask(1), batcher.ask(2)].map((one) => one.catch((error: Error) => error.message))
    ;(await batch(0)).end(new Error('no'))
    expect(await Promise.all(failed)).toEqual(['no', 'no'])
    const next = batcher.ask(3)
    ;(await batch(1)).end()
    expect(await next).toBe(6)
  })

  it('waits for the gap between batches, however much is asked meanwhile', async () => {
    vi.useFakeTimers()
    try {
      const { work, batches } = manual()
      const batcher = new Batcher(work, { gapMs: 100 })
      const answers = [batcher.ask(1)]
      await vi.advanceTimersByTimeAsync(1)
      batches[0]!.end()
      await answers[0]
      for (const n of [2, 3]) {
        answers.push(batcher.ask(n))
        await vi.advanceTimersByTimeAsync(40)
      }
      expect(batches).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(25)
      expect(batches[1]!.items).toEqual([2, 3])
      batches[1]!.end()
      expect(await Promise.all(answers)).toEqual([2, 4, 6])
    } finally {
      vi.useRealTimers()
    }
  })
})
