import { describe, expect, it } from 'vitest'
import type { Sql } from '../../platform/clickhouse/sql.js'
import * as tables from './sql.js'

const table = { project: 'p1', digest: 'table1' }
const hostile = "'; DROP TABLE tables; --"

/** The statements as reviewers read them. */
const cases: Record<string, Sql> = {
  sizes: tables.tableSizes('p1', ['table1', hostile]),
  'places-of-digests': tables.placesOf('p1', ['a', hostile]),
  'places-of-list': tables.placesOf('p1', { list: 'list1' }),
  'adopt-list': tables.adoptList(table, 'list1', 0, 1),
  'adopt-slice': tables.adoptList(table, 'list1', 2, 3),
  'copy-list': tables.copyList({ project: 'p1', digest: 'table2' }, [
    { table: 'table1', range: { from: 0, to: 10 }, at: 0 },
    { table: hostile, range: { from: 11, to: 20 }, at: 12 },
  ]),
  'row-digests': tables.rowDigests(table),
  'rows-at': tables.rowsAt('p1', [{ upload: 7, n: 1 }]),
  range: tables.rangeLines(table, { from: 100, to: 200 }),
  'sorted-places': tables.sortedPlaces(table, [{ field: `k.0.${hostile}`, direction: 'desc' }], 1000),
  directory: tables.directoryOf(table),
  'lines-at': tables.linesAt('p1', [
    { position: 7, upload: 1_700_000_000_000_000, n: 7, key: 4_294_967_295 },
    { position: 3, upload: 1_700_000_000_000_000, n: 3, key: 1 },
  ]),
  chosen: tables.chosenLines(table, {
    rowDigests: ['a', hostile],
    spots: [{ upload: 7, n: 1 }],
    sortBy: [{ field: `k.0.${hostile}`, direction: 'desc' }],
    limit: 10,
    offset: 5,
  }),
}

describe('the SQL of tables', () => {
  it.each(Object.entries(cases))('%s', async (name, statement) => {
    const { query, params } = statement.render()
    expect(query).not.toContain('DROP')
    await expect(`${query}\n\n-- ${JSON.stringify(params)}\n`).toMatchFileSnapshot(
      `./__snapshots__/${name}.sql`,
    )
  })

  it('cuts keys into slices without a gap', () => {
    for (const slices of [1, 2, 3, 7, 1000]) {
      let next = 0n
      for (let slice = 0; slice < slices; slice++) {
        const { params } = tables.adoptList(table, 'list1', slice, slices).render()
        const [first, last] = Object.values(params)
          .filter((value) => /^\d+$/.test(String(value)))
          .map(BigInt as (value: unknown) => bigint)
        expect(first).toBe(next)
        next = last! + 1n
      }
      expect(next).toBe(1n << 64n)
    }
  })
})
