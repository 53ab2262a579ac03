import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateEvent, generateRequest, infoResponse, loadReport } from './messages.js'

describe('messages of a node', () => {
  it('keep every digit of a 64-bit seed', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (seed) => {
        const bytes = generateRequest.encode({ requestId: 'a', sampling: { seed: String(seed) } })
        // Field 6 (sampling) holds field 9 (seed) as a varint of two's complement.
        expect(varintAfter(bytes, 0x48)).toBe(BigInt.asUintN(64, seed))
      }),
    )
  })

  it('tell which event they are, by name and by their first byte', () => {
    const event = {
      delta: { index: 1, text: 'é', reasoning: '', toolCalls: [], tokenIds: [5], logprobs: [] },
    }
    const bytes = generateEvent.encode(event)
    expect(bytes[0]).toBe(0x12)
    expect(generateEvent.decode(bytes)).toMatchObject({ event: 'delta', delta: { text: 'é', tokenIds: [5] } })
  })

  it('have every field with its default', () => {
    expect(infoResponse.decode(new Uint8Array())).toMatchObject({
      slots: 0,
      unsupportedFields: [],
      model: '',
    })
    expect(loadReport.decode(new Uint8Array())).toMatchObject({ adapterIds: [], freeCacheTokens: 0 })
  })

  it('refuse what is no message', () => {
    expect(() => generateEvent.decode(new Uint8Array([0x12, 0xff]))).toThrow()
  })
})

function varintAfter(bytes: Uint8Array, tag: number): bigint {
  let value = 0n
  let at = bytes.lastIndexOf(tag, 6) + 1
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at++]!
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return value
  }
}
