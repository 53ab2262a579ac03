import { expect, test } from 'vitest'
import { rowsOfNative, valuesOfNative } from './native-block.js'
import { block } from './testing/logged-engine.js'

const ids = (rows: number) => Array.from({ length: rows }, (_, i) => i)

/** A body as it comes: in chunks of some bytes. */
function chunksOf(body: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += size) chunks.push(body.subarray(at, at + size))
  return chunks
}

function valuesOf(body: Buffer, name = 'v', size = body.length): string[] | undefined {
  const values = valuesOfNative(chunksOf(body, size), body.length, name)
  return values && [...values]
}

test('the values of a column are found, however the body comes and however long it is', () => {
  const mixed = block(ids(3), ['a', 'b', 'a'])
  expect(valuesOf(mixed)).toEqual(['a', 'b'])
  expect(valuesOf(mixed, 'v', 5)).toEqual(['a', 'b'])
  const long = block(ids(20_000), 'é'.repeat(100))
  expect(valuesOf(long, 'v', 1000)).toEqual(['é'.repeat(100)])
  expect(rowsOfNative(chunksOf(long, 1000))).toBe(20_000)
})

test('what can not be told is not', () => {
  const body = block(ids(2), 'a')
  expect(valuesOf(body, 'id')).toBeUndefined()
  expect(valuesOf(body, 'w')).toBeUndefined()
  expect(valuesOf(body.subarray(0, -1))).toBeUndefined()
  expect(valuesOf(Buffer.from('no block'))).toBeUndefined()
  const many = ids(10_001)
  expect(valuesOf(block(many, many.map(String)))).toBeUndefined()
})
