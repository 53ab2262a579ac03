import { describe, expect, it } from 'vitest'
import { idOf, RowBody, rankOf } from './rows.js'

const rowsOf = (bytes: Buffer) =>
  (JSON.parse(bytes.toString()) as { table: { rows: { id: string; rank: number; question: string }[] } })
    .table.rows

describe('bodies of rows', () => {
  it('hold the rows that are stamped, and only these', () => {
    const body = new RowBody('bench/table', 5, 1)
    const first = rowsOf(body.stamp(0, 5))
    expect(first.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4].map(idOf))
    const second = rowsOf(body.stamp(1_000_000, 3))
    expect(second.map(({ id, rank }) => [id, rank])).toEqual(
      [1_000_000, 1_000_001, 1_000_002].map((n) => [idOf(n), rankOf(n)]),
    )
    expect(second[0]!.question).toBe(first[0]!.question)
  })

  it('refuses more rows than it was built for', () => {
    expect(() => new RowBody('a/b', 2, 1).stamp(0, 3)).toThrow(RangeError)
  })

  it('ranks have seven digits and differ', () => {
    const ranks = new Set(Array.from({ length: 50_000 }, (_, n) => rankOf(n * 20)))
    expect(ranks.size).toBe(50_000)
    expect([...ranks].every((rank) => String(rank).length === 7)).toBe(true)
  })
})
