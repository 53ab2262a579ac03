import { expect, it } from 'vitest'
import { Shutdown, StoppedEarly } from './shutdown.js'

const stopping = () => {
  const failed: string[] = []
  const ran: string[] = []
  const shutdown = new Shutdown((name) => failed.push(name))
  const step = (name: string, fails = false) =>
    shutdown.add(name, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      ran.push(name)
      if (fails) throw new Error(name)
    })
  return { shutdown, step, ran, failed }
}

it('runs each step once, the last first, whatever fails', async () => {
  const { shutdown, step, ran, failed } = stopping()
  for (const name of ['a', 'b', 'c']) step(name, name === 'b')
  expect(shutdown.begun).toBe(false)
  await Promise.all([shutdown.run(), shutdown.run()])
  expect(ran).toEqual(['c', 'b', 'a'])
  expect(failed).toEqual(['b'])
})

it('stops what starts meanwhile, or after everything else was stopped, and ends the start', async () => {
  const { shutdown, step, ran } = stopping()
  step('a')
  const stopped = shutdown.run()
  expect(() => step('b')).toThrow(StoppedEarly)
  await stopped
  await shutdown.run()
  expect(() => step('c')).toThrow(StoppedEarly)
  await shutdown.run()
  expect(ran.toSorted()).toEqual(['a', 'b', 'c'])
})
