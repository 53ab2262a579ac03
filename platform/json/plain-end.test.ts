import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PlainEnd } from './plain-end.js'

/** Bytes that matter, and their neighbours, beside others. */
const byte = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom(0x20, 0x21, 0x23, 0x41, 0x5b, 0x5d, 0x7f, 0x80, 0xa2, 0xdc, 0xff),
  },
  { weight: 1, arbitrary: fc.constantFrom(0x00, 0x0a, 0x1f, 0x22, 0x5c) },
)

it('is what a look at each byte finds, wherever the text begins and ends', () => {
  const shared = new SharedArrayBuffer(512)
  const large = new ArrayBuffer(5 << 20)
  const plainEnd = new PlainEnd()
  fc.assert(
    fc.property(
      fc.array(byte, { maxLength: 80 }),
      fc.nat(9),
      fc.nat(9),
      fc.constantFrom(undefined, shared, large),
      (bytes, offset, from, memory) => {
        const buf = new Uint8Array(memory ?? new ArrayBuffer(512), offset, 200)
        buf.fill(0x41)
        buf.set(bytes, from)
        const to = from + bytes.length
        const found = bytes.findIndex((one) => one < 0x20 || one === 0x22 || one === 0x5c)
        expect(plainEnd.find(buf, from, to)).toBe(found < 0 ? to : from + found)
      },
    ),
    { numRuns: 2000 },
  )
})
