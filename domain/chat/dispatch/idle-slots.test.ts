import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type IdleSlot, IdleSlots, type Places } from './idle-slots.js'

/** Places of one model, and what background requests hold of them. */
class Room {
  places: Places = { all: 4, live: 0, busy: 0, waiting: 0 }
  readonly slots = new IdleSlots(() => this.places)
  /** by owner, in the order they were given */
  readonly given: { owner: string; slot: IdleSlot }[] = []

  async ask(...owners: string[]): Promise<void> {
    for (const owner of owners)
      void this.slots
        .take('m', owner, new AbortController().signal)
        .then((slot) => this.given.push({ owner, slot }))
    await settled()
  }

  async now(places: Partial<Places>): Promise<void> {
    Object.assign(this.places, places)
    this.slots.look()
    await settled()
  }

  get owners(): string[] {
    return this.given.map(({ owner }) => owner)
  }

  get running(): IdleSlot[] {
    return this.given.map(({ slot }) => slot).filter(({ signal }) => !signal.aborted)
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('gives away what live requests leave, here and elsewhere', async () => {
  const room = new Room()
  room.places = { all: 4, live: 1, busy: 1, waiting: 0 }
  await room.ask('a', 'a', 'a', 'a')
  expect(room.owners).toHaveLength(2)
  await room.now({ busy: 4 })
  expect(room.owners).toHaveLength(2)
  await room.now({ live: 0, busy: 0 })
  expect(room.owners).toHaveLength(4)
})

it('keeps one of eight places free', async () => {
  const room = new Room()
  room.places.all = 16
  await room.ask(...Array<string>(20).fill('a'))
  expect(room.owners).toHaveLength(14)
})

it('gives nothing while no node is up', async () => {
  const room = new Room()
  room.places.all = 0
  await room.ask('a')
  expect(room.owners).toEqual([])
  await room.now({ all: 1 })
  expect(room.owners).toEqual(['a'])
})

it('gives owners turns', async () => {
  const room = new Room()
  room.places.all = 2
  await room.ask('a', 'a', 'a', 'a', 'b', 'b')
  expect(room.owners).toEqual(['a', 'a'])
  room.given[0]!.slot.release()
  room.given[1]!.slot.release()
  await settled()
  expect(room.owners.slice(2).sort()).toEqual(['a', 'b'])
})

it('takes the youngest place back at once when a live request finds none', async () => {
  const room = new Room()
  await room.ask('a', 'a', 'a', 'a')
  room.places.live = 1
  room.slots.makeRoom('m')
  expect(room.given.map(({ slot }) => slot.signal.aborted)).toEqual([false, false, false, true])
  room.slots.makeRoom('m')
  expect(room.running).toHaveLength(3)
})

it('takes places back for requests of other processes that wait, and not for those that have one', async () => {
  const room = new Room()
  await room.ask('a', 'a', 'a')
  await room.now({ busy: 4, waiting: 1 })
  expect(room.running).toHaveLength(3)
  await room.now({ busy: 6, waiting: 2 })
  expect(room.running).toHaveLength(1)
})

it('forgets who stops waiting', async () => {
  const room = new Room()
  room.places.all = 0
  const leaving = new AbortController()
  const left = room.slots.take('m', 'a', leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await room.now({ all: 4 })
  expect(room.owners).toEqual([])
})

it('never holds more places than live requests leave, whatever happens', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('ask' as const), owner: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constant('release' as const), which: fc.nat(9) }),
    fc.record({ kind: fc.constant('live' as const), live: fc.nat(6) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const room = new Room()
      const released = new Set<IdleSlot>()
      for (const one of steps) {
        if (one.kind === 'ask') await room.ask(one.owner)
        else if (one.kind === 'release') {
          const slot = room.given[one.which]?.slot
          slot?.release()
          if (slot) released.add(slot)
        } else {
          room.places.live = one.live
          room.slots.makeRoom('m')
        }
        await settled()
        const held = room.running.filter((slot) => !released.has(slot)).length
        expect(held).toBeLessThanOrEqual(Math.max(0, 4 - room.places.live))
      }
    }),
    { numRuns: 50 },
  )
})
