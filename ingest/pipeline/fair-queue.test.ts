import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairQueue } from './fair-queue.js'

interface Item {
  project: string
  weight: number
  number: number
}
const KIB = 1024
const tenant = (project: string) => ({ entity: project.split('/')[0]!, project })
const queueOf = (items: readonly Item[]) => {
  const queue = new FairQueue<Item>(({ weight }) => weight)
  for (const item of items) queue.push(tenant(item.project), item)
  return queue
}
const items = fc
  .array(
    fc.record({
      project: fc.constantFrom('a', 'b/1', 'b/2'),
      weight: fc.integer({ min: 1, max: 900 * KIB }),
    }),
  )
  .map((list) => list.map((item, number) => ({ ...item, number })))

describe('a fair queue', () => {
  it('gives everything once, of each project in order, and knows its weight', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 2048 * KIB }), (list, limit) => {
        const queue = queueOf(list)
        expect(queue.weight).toBe(list.reduce((sum, { weight }) => sum + weight, 0))
        const taken: Item[] = []
        while (queue.length > 0) {
          const few = queue.takeOfOne(limit / 8, ({ weight }) => weight % 2 === 0)
          expect(
            few.every(({ project, weight }) => weight % 2 === 0 && project[0] === few[0]!.project[0]),
          ).toBe(true)
          expect(few.reduce((sum, { weight }) => sum + weight, 0)).toBeLessThanOrEqual(limit / 8)
          taken.push(...few)
          if (queue.length === 0) break
          const batch = queue.take(limit)
          expect(batch.length).toBeGreaterThan(0)
          const weight = batch.reduce((sum, item) => sum + item.weight, 0)
          if (batch.length > 1) expect(weight).toBeLessThanOrEqual(limit)
          taken.push(...batch)
        }
        expect(queue.weight).toBe(0)
        expect(taken).toHaveLength(list.length)
        for (const project of ['a', 'b/1', 'b/2']) {
          const own = (all: readonly Item[]) => all.filter((item) => item.project === project)
          expect(own(taken)).toEqual(own(list))
        }
      }),
    )
  })

  it('lets a flood and a trickle share each batch', () => {
    const flood = Array.from({ length: 1000 }, (_, number) => ({
      project: 'flood',
      weight: 100 * KIB,
      number,
    }))
    const queue = queueOf(flood)
    for (let number = 0; number < 5; number++)
      queue.push(tenant('trickle'), { project: 'trickle', weight: KIB, number })
    const batch = queue.take(1024 * KIB)
    expect(batch.filter(({ project }) => project === 'trickle')).toHaveLength(5)
  })

  it('gives an entity no more for having many projects, and each of these a part', () => {
    const queue = new FairQueue<Item>(({ weight }) => weight)
    for (let number = 0; number < 2000; number++)
      for (const project of [`flood/${number % 50}`, 'acme/one'])
        queue.push(tenant(project), { project, weight: 16 * KIB, number })
    const batch = queue.take(8192 * KIB)
    const own = batch.filter(({ project }) => project === 'acme/one').length
    expect(own / batch.length).toBeGreaterThan(0.45)
    expect(new Set(batch.map(({ project }) => project)).size).toBe(51)
  })

  it('divides a batch evenly between two floods', () => {
    const flood = (project: string) =>
      Array.from({ length: 1000 }, (_, number) => ({ project, weight: 64 * KIB, number }))
    const queue = queueOf([...flood('a'), ...flood('b')])
    const batch = queue.take(8192 * KIB)
    const share = batch.filter(({ project }) => project === 'a').length / batch.length
    expect(share).toBeGreaterThan(0.45)
    expect(share).toBeLessThan(0.55)
  })
})
