import { expect, it } from 'vitest'
import { Attributes } from './attributes.js'
import { Wire } from './wire.js'

/** A KeyValue message with a text of one letter, and where it stands in a larger one. */
function keyValues(keys: readonly string[]): { wire: Wire; places: [number, number][] } {
  const places: [number, number][] = []
  let at = 0
  const pieces = keys.map((key) => {
    const name = Buffer.from(key)
    const length = name.length < 128 ? [name.length] : [(name.length & 127) | 128, name.length >> 7]
    const piece = Buffer.concat([Buffer.from([0x0a, ...length]), name, Buffer.from([0x12, 3, 0x0a, 1, 0x78])])
    places.push([at, at + piece.length])
    at += piece.length
    return piece
  })
  return { wire: new Wire(Buffer.concat(pieces)), places }
}

function compiledFor<T>(attributes: Attributes<T>, keys: readonly string[]): T {
  const { wire, places } = keyValues(keys)
  attributes.clear()
  for (const [from, to] of places) attributes.add(wire, from, to)
  return attributes.compiled(wire.buf)
}

const long = (n: number) => Array.from({ length: 200 }, (_, i) => `${n} ${i} ${'k'.repeat(230)}`)

it('what is compiled for keys is kept, each order of them for itself', () => {
  const attributes = new Attributes((keys) => ({ keys }))
  const first = compiledFor(attributes, ['a', 'b'])
  expect(first).toEqual({ keys: ['a', 'b'] })
  expect(compiledFor(attributes, ['b', 'a'])).not.toBe(first)
  expect(compiledFor(attributes, ['a', 'b'])).toBe(first)
})

it('what takes many bytes makes room for others', () => {
  const attributes = new Attributes((keys) => ({ keys }))
  const first = compiledFor(attributes, long(0))
  expect(compiledFor(attributes, long(0))).toBe(first)
  for (let n = 1; n < 100; n++) compiledFor(attributes, long(n))
  expect(compiledFor(attributes, long(0))).not.toBe(first)
})

it('so does what grows later', () => {
  const grown: ((bytes: number) => void)[] = []
  const attributes = new Attributes((keys, grow) => {
    grown.push(grow)
    return { keys }
  })
  const first = compiledFor(attributes, ['a'])
  grown[0]?.(1 << 20)
  expect(compiledFor(attributes, ['a'])).toBe(first)
  grown[0]?.(1 << 26)
  expect(compiledFor(attributes, ['a'])).not.toBe(first)
})
