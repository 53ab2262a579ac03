import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Bytes } from '../../../platform/bytes/bytes.js'
import { isoOfMicros } from '../../../platform/time/iso.js'
import { jsonText } from './json-text.js'
import { writeTime } from './write-time.js'

function written(write: (out: Bytes) => void): string {
  const out = new Bytes(1)
  write(out)
  return out.buf.toString('utf8', 0, out.pos)
}

it('a time is written as it is made a text elsewhere', () => {
  const micros = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) * 1000 })
  const second = fc.integer({ min: 0, max: 253_402_214_400 }).map((seconds) => seconds * 1e6)
  fc.assert(
    fc.property(fc.oneof(micros, second), (time) => {
      expect(written((out) => writeTime(out, time))).toBe(isoOfMicros(time))
    }),
    { numRuns: 2000 },
  )
})

it('a text is JSON of the same text', () => {
  const odd = fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', '\u2028', '\u2029', '\u2027', '€', '😀')
  const text = fc.array(fc.oneof(odd, fc.string({ unit: 'grapheme' }))).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (one) => {
      expect(JSON.parse(written((out) => jsonText(out, Buffer.from(one))))).toBe(one)
    }),
    { numRuns: 2000 },
  )
})
