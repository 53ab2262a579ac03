import { describe, expect, it, vi } from 'vitest'
import type { Caller } from './caller.js'
import { FairSemaphore } from './fair-semaphore.js'

/** Records who has a permit, and how to give it back. */
function crowd(semaphore: FairSemaphore) {
  const inside: string[] = []
  const leave: (() => void)[] = []
  const enter = (caller: Caller, signal?: AbortSignal, besideOthers?: boolean) =>
    semaphore.acquire(caller, signal, besideOthers).then((out) => {
      inside.push(caller)
      leave.push(out.release)
    })
  return { inside, leave, enter }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a fair semaphore', () => {
  it('never gives all permits to one account, whatever keys it has', async () => {
    const { inside, enter } = crowd(new FairSemaphore(4))
    for (let i = 0; i < 8; i++) void enter(`flood/${i}`)
    await settled()
    expect(inside).toHaveLength(3)
    await enter('acme/one')
    expect(inside).toHaveLength(4)
  })

  it('never gives all permits to one account that may hold more by handing them on', async () => {
    const semaphore = new FairSemaphore(4, 4)
    const { inside, enter } = crowd(semaphore)
    const first = await semaphore.acquire('flood/first')
    for (let i = 0; i < 8; i++) void enter(`flood/${i}`)
    await enter('acme/one')
    expect(inside).toEqual(['flood/0', 'flood/1', 'acme/one'])
    first.handOn()
    await settled()
    expect(inside.slice(3)).toEqual(['flood/2'])
  })

  it('never gives all permits of an account to one key', async () => {
    const { inside, enter } = crowd(new FairSemaphore(8))
    for (let i = 0; i < 8; i++) void enter('acme/notebook')
    await settled()
    expect(inside).toHaveLength(5)
    await enter('acme/dashboard')
    expect(inside.at(-1)).toBe('acme/dashboard')
  })

  it('prefers the account that holds fewest, however many of another wait longer', async () => {
    const { inside, leave, enter } = crowd(new FairSemaphore(2))
    await Promise.all([enter('other/x'), enter('flood/a')])
    for (let i = 0; i < 50; i++) void enter(`flood/${i}`)
    void enter('acme/one')
    leave[0]!()
    await settled()
    expect(inside.at(-1)).toBe('acme/one')
  })

  it.each([
    { where: 'asks as well', elsewhere: false },
    { where: 'is active elsewhere', elsewhere: true },
  ])('holds an account to its share while another $where, and for seconds after', async ({ elsewhere }) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const { inside, leave, enter } = crowd(new FairSemaphore(6, 0, 1))
      for (let i = 0; i < 4; i++) void enter(`flood/${i}`)
      await enter(':service/rules')
      expect(inside).toEqual(['flood/0', 'flood/1', 'flood/2', 'flood/3', ':service/rules'])
      vi.advanceTimersByTime(1000)
      if (!elsewhere) await enter('acme/one')
      inside.length = 5
      for (let i = 4; i < 8; i++) void enter(`flood/${i}`, undefined, elsewhere)
      for (const release of leave.splice(0)) release()
      await settled()
      expect(inside.slice(5)).toEqual(['flood/4'])
      vi.advanceTimersByTime(6000)
      leave.pop()!()
      await settled()
      expect(inside.slice(5)).toEqual(['flood/4', 'flood/5', 'flood/6', 'flood/7'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('lets an account that asked little of late have more than its share for a moment', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const { inside, leave, enter } = crowd(new FairSemaphore(6, 0, 1))
      await enter('flood/0')
      vi.advanceTimersByTime(2000)
      await enter('acme/one')
      for (let i = 1; i < 4; i++) void enter(`acme/${i}`)
      await settled()
      expect(inside).toEqual(['flood/0', 'acme/one', 'acme/1', 'acme/2', 'acme/3'])
      vi.advanceTimersByTime(2000)
      for (const release of leave.splice(1)) release()
      void enter('acme/4')
      void enter('acme/5')
      await settled()
      expect(inside.slice(5)).toEqual(['acme/4'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps no permit for a caller that has gone', async () => {
    const { inside, leave, enter } = crowd(new FairSemaphore(1))
    await enter('a/1')
    const gone = new AbortController()
    const waits = enter('b/1', gone.signal)
    gone.abort()
    await expect(waits).rejects.toThrow('aborted')
    void enter('c/1')
    leave[0]!()
    leave[0]!()
    await settled()
    expect(inside).toEqual(['a/1', 'c/1'])
  })

  it('gives a permit that is handed on to another, though not to one that has its part', async () => {
    const semaphore = new FairSemaphore(3, 1)
    const [first, second] = await Promise.all([semaphore.acquire('a/1'), semaphore.acquire('a/2')])
    const { inside, enter } = crowd(semaphore)
    for (const caller of ['a/3', 'a/4', 'b/1'] as const) void enter(caller)
    await settled()
    expect(inside).toEqual(['b/1'])
    first!.handOn()
    second!.handOn()
    await settled()
    expect(inside).toEqual(['b/1', 'a/3'])
    first!.release()
    first!.release()
    first!.handOn()
    await settled()
    expect(inside).toEqual(['b/1', 'a/3', 'a/4'])
  })
})
