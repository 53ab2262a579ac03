import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Semaphores } from './semaphores.js'

const limits = {
  permits: { read: 2, write: 1, command: 1, flush: 1 },
  readsBesideOthers: 9,
  longPermits: 1,
  longAfterMs: 500,
  queue: 2,
  timeoutMs: 10_000,
}
const never = new AbortController().signal

/** Records who has a permit. */
function crowd(semaphores: Semaphores) {
  const inside: string[] = []
  const enter = (name: string, signal = never, caller = name) =>
    semaphores.acquire('read', signal, caller).then((leave) => {
      inside.push(name)
      return leave
    })
  return { inside, enter, as: (caller: string, name: string) => enter(name, never, caller) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('semaphores', () => {
  test('admit as many as there are permits, then first come, first served', async () => {
    const { inside, enter } = crowd(new Semaphores(limits))
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

  test('are apart: a full kind of work leaves the others free', async () => {
    const semaphores = new Semaphores(limits)
    await semaphores.acquire('read', never, 'a')
    await semaphores.acquire('read', never, 'b')
    await expect(semaphores.acquire('write', never)).resolves.toBeTypeOf('function')
  })

  test('a long query gives its permit to a short one, as long as there are permits for long ones', async () => {
    const { inside, enter } = crowd(new Semaphores(limits))
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

  test('refuse with code 202 when the queue is full or the wait too long', async () => {
    const { enter } = crowd(new Semaphores({ ...limits, longPermits: 0 }))
    await enter('a')
    await enter('b')
    const waiting = [enter('c'), enter('d')].map((entry) =>
      expect(entry).rejects.toMatchObject({ code: 202 }),
    )
    await expect(enter('e')).rejects.toMatchObject({ code: 202 })
    await vi.advanceTimersByTimeAsync(10_000)
    await Promise.all(waiting)
  })

  test('forget a caller that has gone', async () => {
    const { inside, enter } = crowd(new Semaphores({ ...limits, longPermits: 0 }))
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

  test('leave a permit to others, however many one caller asks for', async () => {
    const { inside, as } = crowd(
      new Semaphores({ ...limits, queue: 9, permits: { ...limits.permits, read: 3 } }),
    )
    const leave = await as('a', 'a1')
    // Three of the four permits, long ones counted, are its part.
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

  test('leave a permit to others, however many callers of one account ask', async () => {
    const { inside, as } = crowd(
      new Semaphores({ ...limits, queue: 99, longPermits: 0, permits: { ...limits.permits, read: 4 } }),
    )
    for (let i = 0; i < 8; i++) void as(`flood/${i}`, `f${i}`)
    void as('acme/one', 'a1')
    await vi.advanceTimersByTimeAsync(0)
    expect(inside).toEqual(['f0', 'f1', 'f2', 'a1'])
  })

  test('do not prefer callers without a name', async () => {
    const { inside, as } = crowd(
      new Semaphores({ ...limits, queue: 99, longPermits: 0, permits: { ...limits.permits, read: 4 } }),
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

  test('leave room in the queue to others', async () => {
    const { inside, as } = crowd(new Semaphores({ ...limits, longPermits: 0, queue: 4 }))
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

  test('admit the caller that holds fewest first', async () => {
    const { inside, as } = crowd(
      new Semaphores({ ...limits, queue: 9, longPermits: 0, permits: { ...limits.permits, read: 4 } }),
    )
    const [leave] = await Promise.all([as('a', 'a1'), as('a', 'a2'), as('b', 'b1'), as('c', 'c1')])
    for (const name of ['b2', 'd1', 'd2']) void as(name[0]!, name)
    leave()
    await vi.advanceTimersByTimeAsync(0)
    expect(inside.slice(4)).toEqual(['d1'])
  })
})
