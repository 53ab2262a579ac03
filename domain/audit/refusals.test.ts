/** Nobody fills the log, and nobody is forgotten. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Refusals } from './refusals.js'

const MINUTE = 60e6

it('writes or counts each, and writes few of one caller and of all in a minute', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(300), fc.nat(MINUTE - 1)), { maxLength: 600 }), (refused) => {
      const refusals = new Refusals<string>()
      const written = new Map<string, number>()
      for (const [caller, at] of refused) {
        const name = `c${caller}`
        if (refusals.admits(name, name, MINUTE * 7 + at)) written.set(name, (written.get(name) ?? 0) + 1)
      }
      const sum = [...written.values()].reduce((all, one) => all + one, 0)
      const counted = refusals.take()
      expect(Math.max(0, ...written.values())).toBeLessThanOrEqual(10)
      expect(sum).toBeLessThanOrEqual(200)
      expect(sum + counted.reduce((all, { count }) => all + count, 0)).toBe(refused.length)
      expect(counted.length).toBeLessThanOrEqual(101)
      expect(refusals.take()).toEqual([])
    }),
  ))

it('writes again in the next minute', () => {
  const refusals = new Refusals<string>()
  const admitted = (at: number) =>
    Array.from({ length: 20 }, () => refusals.admits('a', 'a', at)).filter(Boolean).length
  expect([admitted(0), admitted(MINUTE - 1), admitted(MINUTE)]).toEqual([10, 0, 10])
  expect(refusals.take()).toEqual([{ who: 'a', count: 40, since: 0 }])
})
