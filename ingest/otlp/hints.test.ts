import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DETECTORS, MaskRule } from '../../contract/masking.js'
import { CallBlock } from '../../domain/calls/block.js'
import { RulesByScope } from '../../domain/masking/rules-by-scope.js'
import { bytesOfDetected } from '../../domain/masking/testing/detected.js'
import { escapesIn, hintsIn, placesOf, REACH } from './hints.js'
import { Walker } from './walker/walker.js'
import { Wire } from './wire.js'

const walker = new Walker(new CallBlock('calls'))
const rules = DETECTORS.map((detector) => MaskRule.parse({ name: detector, detector }))
const all = new RulesByScope([{ scope: '*', salt: '', rules }]).of('a/b')

/** Bytes of all kinds, with what detectors find among them. */
const bytes = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.uint8Array({ maxLength: 20 }).map((some) => Buffer.from(some)) },
      { weight: 2, arbitrary: fc.stringMatching(/^[ \w.:+@()-]{0,40}$/).map((text) => Buffer.from(text)) },
      bytesOfDetected,
      fc.constantFrom('\\u002b', '\\u', 'EMP-', 'emp', '-').map((text) => Buffer.from(text)),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => Buffer.concat(pieces))

it('WebAssembly sees what TypeScript sees', () => {
  fc.assert(
    fc.property(bytes, (buf) => {
      expect(walker.hintsOf(new Wire(buf))).toEqual({ places: hintsIn(buf), escapes: escapesIn(buf) })
    }),
  )
})

it('literals, too', () => {
  const literal = fc.record({ text: fc.constantFrom('emp-', 'emp', 'a-b c'), isFolded: fc.boolean() })
  fc.assert(
    fc.property(bytes, literal, (buf, one) => {
      const wire = new Wire(buf)
      walker.hintsOf(wire)
      expect(walker.placesOf(wire, one)).toEqual(placesOf(buf, one))
    }),
  )
})

it('nothing that a detector finds is overlooked, wherever it stands', () => {
  fc.assert(
    fc.property(bytes, bytesOfDetected, bytes, (before, one, after) => {
      const buf = Buffer.concat([before, one, after])
      const text = one.toString('latin1')
      fc.pre(all.text(text) !== text)
      const hints = hintsIn(buf).filter((at) => at < before.length + one.length && at + REACH > before.length)
      const looks = hints.map((at) => buf.toString('latin1', Math.max(0, at - 2 * REACH), at + 2 * REACH))
      expect(looks.some((look) => all.mayMatch(look))).toBe(true)
    }),
  )
})

it('a request larger than the window is seen whole', () => {
  const buf = Buffer.alloc((5 << 19) + 7, 'x y ')
  const wire = new Wire(buf)
  for (const at of [0, 1 << 20, (1 << 20) - 33, (1 << 20) - 1, buf.length - 8]) buf.write('ann@x.y', at)
  expect(walker.placesOf(wire, { text: 'ann@', isFolded: true })).toEqual(
    placesOf(buf, { text: 'ann@', isFolded: false }),
  )
  expect([...new Set(walker.hintsOf(wire).places.flatMap((at) => [...placesIn(buf, at)]))]).toEqual([
    ...new Set(hintsIn(buf).flatMap((at) => [...placesIn(buf, at)])),
  ])
})

function* placesIn(buf: Buffer, at: number): Generator<number> {
  for (let i = at; i < at + REACH; i++) if (buf[i] === 0x40) yield i
}
