import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Turns } from './turns.js'

/** Holds the thread. */
function spin(ms: number) {
  for (const end = performance.now() + ms; performance.now() < end; );
}

it('runs work at once while the thread has time', async () => {
  const turns = new Turns()
  const done: number[] = []
  for (let i = 0; i < 5; i++) void turns.run('acme', 'list', () => done.push(i))
  expect(done).toEqual([0, 1, 2, 3, 4])
  await nextTurn()
  expect(turns.waiting).toBe(0)
})

it('an account that used much waits for others, and keeps its own order', async () => {
  const turns = new Turns()
  const done: string[] = []
  const flood = Array.from({ length: 20 }, (_, i) =>
    turns.run('flood', 'query', () => {
      spin(4)
      done.push(`flood ${i}`)
    }),
  )
  const others = ['acme', 'other'].map((name) => turns.run(name, 'list', () => void done.push(name)))
  await Promise.all(others)
  // One made the slice full, and one may have gone before each that came later.
  expect(done.length).toBeLessThanOrEqual(6)
  await Promise.all(flood)
  expect(done.filter((one) => one.startsWith('flood'))).toEqual(flood.map((_, i) => `flood ${i}`))
})

it('a caller takes its next step before others begin theirs', async () => {
  const turns = new Turns()
  const done: string[] = []
  const step = (account: string, name: string, ms: number) =>
    turns.run(account, name, () => {
      spin(ms)
      done.push(name)
    })
  const flood = Array.from({ length: 20 }, () => step('flood', 'query', 4))
  await step('acme', 'body', 0)
  await step('acme', 'handler', 0)
  expect(done.slice(done.indexOf('body'))).toEqual(['body', 'handler'])
  await Promise.all(flood)
})

it.each([
  { beside: true, began: ['flood 0'] },
  { beside: false, began: ['flood 0', 'flood 1', 'flood 2'] },
])(
  'lets an account that fills its turns rest between them if others are there: $beside',
  async ({ beside, began }) => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const turns = new Turns(undefined, () => beside)
    const done: string[] = []
    const work = (name: string, ms: number) => () => {
      vi.advanceTimersByTime(ms)
      return done.push(name)
    }
    const flood = Array.from({ length: 4 }, (_, i) => turns.run('flood', 'query', work(`flood ${i}`, 4)))
    await nextTurn()
    await nextTurn()
    expect(done).toEqual(began)
    if (beside) expect(turns.run('acme', 'list', work('acme', 0))).toBe(2)
    while (turns.waiting > 0) {
      vi.advanceTimersByTime(4)
      await nextTurn()
    }
    await Promise.all(flood)
    expect(done.filter((name) => name !== 'acme')).toEqual(flood.map((_, i) => `flood ${i}`))
  },
)

it('gives timers and connections a turn between', async () => {
  const turns = new Turns()
  let done = 0
  const all = Promise.all(
    Array.from({ length: 20 }, () =>
      turns.run('flood', 'query', () => {
        spin(6)
        done++
      }),
    ),
  )
  await nextTurn()
  expect(done).toBeLessThan(10)
  await all
})

it('passes on what work returns and throws, now and later, and names long work', async () => {
  const long: string[] = []
  const turns = new Turns((name, ms) => long.push(`${name} ${ms > 50}`))
  await turns.run('acme', 'slow', () => spin(60))
  const refuse = () => {
    throw new Error('no')
  }
  await expect(turns.run('acme', 'x', refuse)).rejects.toThrow('no')
  await expect(turns.run('acme', 'x', async () => 7)).resolves.toBe(7)
  expect(() => turns.run('acme', 'x', refuse)).toThrow('no')
  expect(long).toEqual(['slow true'])
})
