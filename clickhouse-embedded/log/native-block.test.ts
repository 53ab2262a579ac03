import { expect, test } from 'vitest'
import { type BodyKeys, keysOfNative, rowsOfNative } from './native-block.js'
import { block } from './testing/logged-engine.js'

const ids = (rows: number) => Array.from({ length: rows }, (_, i) => i)

/** A body as it comes: in chunks of some bytes. */
function chunksOf(body: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += size) chunks.push(body.subarray(at, at + size))
  return chunks
}

function keysOf(body: Buffer, readKey = 'v', size = body.length): BodyKeys {
  const chunks = chunksOf(body, size)
  return keysOfNative(
    { chunks, length: body.length, rows: rowsOfNative(chunks) },
    { readKey, newestBy: 'id' },
  )
}

test('the values of a column, and the greatest of another, are found, however the body comes and however long it is', () => {
  const mixed = block([1, 7, 3], ['a', 'b', 'a'])
  const known = { values: new Set(['a', 'b']), greatest: 7 }
  expect(keysOf(mixed)).toEqual(known)
  expect(keysOf(mixed, 'v', 5)).toEqual(known)
  const long = block(ids(20_000), 'é'.repeat(100))
  expect(keysOf(long, 'v', 1000)).toEqual({ values: new Set(['é'.repeat(100)]), greatest: 19_999 })
  expect(rowsOfNative(chunksOf(long, 1000))).toBe(20_000)
})

test('what can not be told is not', () => {
  const body = block(ids(2), 'a')
  expect(keysOf(body, 'id')).toEqual({ greatest: 1 })
  expect(keysOf(body, 'w')).toEqual({ greatest: 1 })
  expect(keysOf(body.subarray(0, -1))).toEqual({})
  expect(keysOf(Buffer.from('no block'))).toEqual({})
  const many = ids(10_001)
  expect(keysOf(block(many, many.map(String)))).toEqual({ greatest: 10_000 })
})
