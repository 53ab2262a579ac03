import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Lanes } from './lanes.js'

const limits = {
  seats: { read: 2, write: 1, command: 1 },
  longSeats: 1,
  longAfterMs: 500,
  queue: 2,
  patienceMs: 10_000,
}
const never = new AbortController().signal

/** Records who has got in. */
function crowd(lanes: Lanes) {
  const inside: string[] = []
  const enter = (name: string, signal = never, caller = name) =>
    lanes.enter('read', signal, caller).then((leave) => {
      inside.push(name)
      return leave
    })
  return { inside, enter, as: (caller: string, name: string) => enter(name, never, caller) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('lanes', () => {
  test('seat as many as there are seats, then first come, first served', async () => {
    const { inside, enter } = crowd(new Lanes(limits))
    const leaveA = await enter('a')
    await enter('b')
    void enter('c')
    void enter('d')
    await vi.advanceTimersByTimeAsync(100)
    expect(inside).toEqual(['a', 'b'])
    leaveA()
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['a', 'b', 'c'])
  })

  test('do not share: a full lane leaves the others free', async () => {
    const lanes = new Lanes(limits)
    await lanes.enter('read', never)
    await lanes.enter('read', never)
    await expect(lanes.enter('write', never)).resolves.toBeTypeOf('function')
  })

  test('a long query frees its seat for short ones, as long as there are seats for long ones', async () => {
    const { inside, enter } = crowd(new Lanes(limits))
    const leaveLong = await enter('long 1')
    await enter('long 2')
    void enter('c')
    void enter('d')
    await vi.advanceTimersByTimeAsync(600)
    expect(inside).toEqual(['long 1', 'long 2', 'c'])
    leaveLong()
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['long 1', 'long 2', 'c', 'd'])
  })

  test('turn away who finds the queue full, or waits too long, with code 202', async () => {
    const { enter } = crowd(new Lanes({ ...limits, longSeats: 0 }))
    await enter('a')
    await enter('b')
    const waiting = [enter('c'), enter('d')].map((entry) =>
      expect(entry).rejects.toMatchObject({ code: 202 }),
    )
    await expect(enter('e')).rejects.toMatchObject({ code: 202 })
    await vi.advanceTimersByTimeAsync(10_000)
    await Promise.all(waiting)
  })

  test('forget who has gone', async () => {
    const { inside, enter } = crowd(new Lanes({ ...limits, longSeats: 0 }))
    const leave = await enter('a')
    await enter('b')
    const gone = new AbortController()
    const waiting = expect(enter('c', gone.signal)).rejects.toMatchObject({ code: 210 })
    gone.abort()
    await waiting
    void enter('d')
    leave()
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['a', 'b', 'd'])
  })

  test('leave a seat to others, however many one caller asks for', async () => {
    const { inside, as } = crowd(new Lanes({ ...limits, seats: { ...limits.seats, read: 3 } }))
    const leave = await as('a', 'a1')
    // Three of the four seats, long ones counted, are its part.
    for (const name of ['a2', 'a3', 'a4']) void as('a', name)
    await vi.advanceTimersByTimeAsync(600)
    expect(inside).toEqual(['a1', 'a2', 'a3'])
    void as('b', 'b1')
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['a1', 'a2', 'a3', 'b1'])
    leave()
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['a1', 'a2', 'a3', 'b1', 'a4'])
  })

  test('leave a seat to others, however many callers of one account ask', async () => {
    const { inside, as } = crowd(
      new Lanes({ ...limits, queue: 99, longSeats: 0, seats: { ...limits.seats, read: 4 } }),
    )
    for (let i = 0; i < 8; i++) void as(`flood/${i}`, `f${i}`)
    void as('acme/one', 'a1')
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['f0', 'f1', 'f2', 'a1'])
  })

  test('do not prefer who does not say who it is', async () => {
    const { inside, as } = crowd(
      new Lanes({ ...limits, queue: 99, longSeats: 0, seats: { ...limits.seats, read: 4 } }),
    )
    const leave = await as('', 'n0')
    for (let i = 1; i < 9; i++) void as('', `n${i}`)
    for (let i = 0; i < 3; i++) void as('acme/one', `a${i}`)
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['n0', 'n1', 'n2', 'a0'])
    leave()
    await vi.advanceTimersByTimeAsync(0)
    expect(inside.at(-1)).toBe('a1')
  })

  test('leave places in the queue to others', async () => {
    const { inside, as } = crowd(new Lanes({ ...limits, longSeats: 0, queue: 4 }))
    const leave = await as('flood/one', 'f0')
    const waiting = ['f1', 'f2'].map((name) => as('flood/one', name))
    await expect(as('flood/two', 'f3')).rejects.toMatchObject({ code: 202 })
    await as('acme/one', 'a1')
    void as('acme/one', 'a2')
    leave()
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['f0', 'a1', 'f1'])
    expect(waiting).toHaveLength(2)
  })

  test('seat the caller who holds fewest first', async () => {
    const { inside, as } = crowd(
      new Lanes({ ...limits, queue: 9, longSeats: 0, seats: { ...limits.seats, read: 4 } }),
    )
    const [leave] = await Promise.all([as('a', 'a1'), as('a', 'a2'), as('b', 'b1'), as('c', 'c1')])
    for (const name of ['b2', 'd1', 'd2']) void as(name[0]!, name)
    leave()
    await vi.advanceTimersByTimeAsync(0)
    expect(inside.slice(4)).toEqual(['d1'])
  })
})
