/** Whatever clocks do: what is stored is looked at. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Lookback } from './lookback.js'

const S = 1e6
const BEGIN = 1e15

const call = fc.record({
  // How long after the look before it is stored, and after that it is readable.
  stored: fc.integer({ min: 0, max: 4 * S }),
  readable: fc.integer({ min: 0, max: 5 * S }),
})
const step = fc.record({
  rest: fc.integer({ min: 1 * S, max: 4 * S }),
  back: fc.oneof({ arbitrary: fc.constant(0), weight: 4 }, fc.integer({ min: 1, max: 3600 * S })),
  calls: fc.array(call, { maxLength: 3 }),
})

it('a clock that goes back hides no call, however late it is readable', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const lookback = new Lookback(BEGIN)
      const seen = new Set<string>()
      const calls: { id: string; ver: number; readable: number }[] = []
      let [time, offset] = [0, 0]
      const look = () => {
        const { from, done } = lookback.next(BEGIN + time - offset, time / 1000)
        for (const { id, ver, readable } of calls) if (readable <= time && ver >= from) seen.add(id)
        lookback.reached = BEGIN + time - offset
        done()
      }
      for (const [i, { rest, back, calls: some }] of steps.entries()) {
        offset += back
        for (const [n, { stored, readable }] of some.entries()) {
          const at = time + Math.min(stored, rest)
          calls.push({ id: `${i} ${n}`, ver: BEGIN + at - offset, readable: at + readable })
        }
        time += rest
        look()
      }
      // Nobody stores anything more, and all of it is looked at once again.
      for (let i = 0; i < 8; i++) {
        time += 4 * S
        look()
      }
      expect(calls.filter(({ id }) => !seen.has(id))).toEqual([])
    }),
  )
})
