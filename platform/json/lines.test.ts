import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byteLines, linesOf } from './lines.js'

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function all<Line>(lines: AsyncIterable<Line>): Promise<Line[]> {
  const found: Line[] = []
  for await (const line of lines) found.push(line)
  return found
}

describe('lines of bytes', () => {
  it('are the same however the bytes come', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', ' ', '\r') })
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        async (lines, ended, sizes) => {
          const text = lines.join('\n') + (ended && lines.length > 0 ? '\n' : '')
          const expected = text.split('\n')
          if (expected.at(-1) === '') expected.pop()
          expect(await all(linesOf(cut(Buffer.from(text), sizes)))).toEqual(expected)
          const bytes = (await all(byteLines(cut(Buffer.from(text), sizes)))).map(String)
          expect(bytes.join('')).toBe(text)
          expect(bytes.map((one) => one.replace(/\n$/, ''))).toEqual(expected)
        },
      ),
    )
  })

  it('end at one that is too long before it is held whole', async () => {
    let given = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given += 100
        yield Buffer.from('x'.repeat(100))
      }
    }
    for (const cut of [linesOf, byteLines]) {
      given = 0
      await expect(all<unknown>(cut(endless(), 1000, () => new Error('a row is too long')))).rejects.toThrow(
        'a row is too long',
      )
      expect(given).toBeLessThanOrEqual(1100)
    }
  })
})
