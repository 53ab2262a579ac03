import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Slots } from './slots.js'

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('places', () => {
  it('are never more than there are, and none stays empty while something waits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.nat(), { maxLength: 60 }),
        async (limit, jobs, ends) => {
          const takers = Math.min(4, limit)
          const slots = new Slots()
          slots.set(limit, takers)
          let queued = jobs
          let running = 0
          const taker = async () => {
            while (queued > 0) {
              queued--
              running++
              slots.take()
              await slots.free()
            }
          }
          const all = Array.from({ length: takers }, taker)
          for (const _ of ends) {
            await settle()
            expect(running).toBe(Math.min(limit, running + queued))
            if (running === 0) break
            running--
            slots.leave()
          }
          await settle()
          for (; running > 0; running--) {
            slots.leave()
            await settle()
          }
          await Promise.all(all)
          await slots.empty()
          expect(queued).toBe(0)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('that become more let those go on who wait, and those that become fewer hold them', async () => {
    const slots = new Slots()
    slots.set(2, 2)
    let free = 0
    const take = () => {
      slots.take()
      void slots.free().then(() => free++)
    }
    take()
    take()
    await settle()
    expect(free).toBe(0)
    slots.set(3, 2)
    await settle()
    expect(free).toBe(1)
    slots.set(0, 0)
    slots.leave()
    await settle()
    expect(free).toBe(1)
    slots.set(Number.POSITIVE_INFINITY, 2)
    await settle()
    expect(free).toBe(2)
  })
})
