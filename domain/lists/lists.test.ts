import { describe, expect, it } from 'vitest'
import { sql } from '../../platform/clickhouse/sql.js'
import { jsonLines, jsonList, mapPieces } from './json.js'
import { columnTerms, orderBy, pageOf } from './sql.js'

async function* pieces<T>(...some: T[][]): AsyncGenerator<T[]> {
  yield* some
}
async function text(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all).toString()
}

describe('a page', () => {
  it.each([
    [null, null, ''],
    [10, null, ' LIMIT {p0:UInt64}'],
    [0, 0, ' LIMIT {p0:UInt64}'],
    [10, 5, ' LIMIT {p0:UInt64} OFFSET {p1:UInt64}'],
    [null, 5, ' OFFSET {p0:UInt64}'],
    [-1, -1, ''],
  ])('limit %j, offset %j: %j', (limit, offset, expected) =>
    expect(pageOf(limit, offset).render().query).toBe(expected),
  )
})

describe('an order', () => {
  const columns = new Map([['name', sql`name`]])
  it.each([
    [[], 'id'],
    [[{ field: 'name', direction: 'asc' }], 'name, id'],
    [[{ field: 'name', direction: 'desc' }], 'name DESC, id'],
    [[{ field: 'toString', direction: 'asc' }], 'id'],
  ] as const)('%j: %s', (sortBy, expected) =>
    expect(orderBy(columnTerms(sortBy, columns), [sql`id`]).render().query).toBe(expected),
  )
})

describe('an answer', () => {
  it.each([
    [[], '{"rows":[]}'],
    [[[]], '{"rows":[]}'],
    [[['1', '2'], [], ['3']], '{"rows":[1,2,3]}'],
  ])('%j as a list', async (some, expected) =>
    expect(await text(jsonList('rows', pieces(...some)))).toBe(expected),
  )

  it('as lines', async () => {
    const rows = mapPieces(pieces([1, 2], [3]), (n) => ({ n }))
    expect(await text(jsonLines(rows))).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
  })

  it('that fails at once says nothing before', async () => {
    const failing: AsyncIterable<string[]> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no')) }),
    }
    await expect(jsonList('rows', failing).next()).rejects.toThrow('no')
  })
})
