import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventData } from './event-stream.js'

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const to of [...places, bytes.length]) {
    yield bytes.subarray(from, to)
    from = to
  }
}

async function read(text: string, cuts: readonly number[] = []): Promise<string[]> {
  const found: string[] = []
  for await (const data of eventData(inPieces(Buffer.from(text), cuts))) found.push(data)
  return found
}

it('events come out whole, however their bytes were cut', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\r\n]/.test(text))),
      fc.array(fc.nat()),
      async (texts, cuts) => {
        const stream = texts.map((text) => `data: ${text}\n\n`).join('')
        expect(await read(stream, cuts)).toEqual(texts)
      },
    ),
  ))

it.each([
  ['comments and names', ': hello\nevent: x\nid: 1\ndata: a\n\n', ['a']],
  ['two lines', 'data: a\ndata: b\n\n', ['a\nb']],
  ['other ends of lines', 'data:a\r\n\r\ndata:b\r\n\r\n', ['a', 'b']],
  ['a last one without its end', 'data: a\n\ndata: [DONE]', ['a', '[DONE]']],
  ['nothing', '<html>', []],
])('%s', async (_, text, expected) => expect(await read(text)).toEqual(expected))
