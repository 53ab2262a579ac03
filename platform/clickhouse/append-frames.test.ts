import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Frame, FrameReader, frameHead } from './append-frames.js'

const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const frame = fc.record({
  id: uint32,
  tag: uint32,
  text: fc.string({ unit: 'grapheme' }),
  body: fc.uint8Array(),
})

it('reads frames as they were written, wherever the bytes are cut', () => {
  const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 40 }))
  const property = fc.property(fc.array(frame), cuts, (frames, sizes) => {
    const sent = Buffer.concat(
      frames.flatMap(({ id, tag, text, body }) => [frameHead(id, tag, text, body.length), body]),
    )
    const read: Omit<Frame, 'chunks'>[] = []
    const bodies: Buffer[] = []
    const reader = new FrameReader(({ chunks, ...rest }) => {
      read.push(rest)
      bodies.push(Buffer.concat(chunks))
    })
    for (let at = 0; at < sent.length; ) {
      const size = sizes.next().value
      reader.push(sent.subarray(at, at + size))
      at += size
    }
    expect(read).toEqual(frames.map(({ id, tag, text, body }) => ({ id, tag, text, length: body.length })))
    expect(bodies).toEqual(frames.map(({ body }) => Buffer.from(body)))
  })
  fc.assert(property)
})
