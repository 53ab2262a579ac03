import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SealedFile } from './sealed.js'

const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 100 }))

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

it('what is sealed is read in any chunks by who sealed it, and by nobody else', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 50 }), async (all, size) => {
      const [mine, other] = [new SealedFile(), new SealedFile()]
      const plain = Buffer.concat(all)
      const stored = Buffer.concat(all.map(mine.seal))
      const read = async (by: SealedFile) => {
        const found: Uint8Array[] = []
        for await (const piece of by.opened(chunksOf(stored, size))) found.push(piece)
        return Buffer.concat(found)
      }
      expect(await read(mine)).toEqual(plain)
      fc.pre(plain.length > 16)
      expect(await read(other)).not.toEqual(plain)
      expect(stored.includes(plain.subarray(0, 16))).toBe(false)
    }),
  )
})
