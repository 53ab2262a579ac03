/** Folding rows here has to give what the engine's own folding gives. */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { versions } from '../../domain/objects/versions-sql.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { startService, type TestService } from '../../query/testing/service.js'
import { rounds } from '../../test/support/rounds.js'
import { foldHeads, foldVersions, type StoredRow } from './fold.js'
import { ObjectReader } from './reader.js'
import { FEW_ROWS, type Head, heads, objectsIn, storedRows, type Version } from './versions.js'

let service: TestService
const BASE = 1_700_000_000_000_000

beforeAll(async () => {
  service = await startService(() => [])
}, 120_000)
afterAll(() => service?.stop())

const moment = fc.integer({ min: 1, max: 6 }).map((n) => BASE + n)
const created = fc.record({
  object_id: fc.constantFrom('a', 'b'),
  digest: fc.constantFrom('d1', 'd2', 'd3', 'd4'),
  kind: fc.constantFrom('object', 'op'),
  base_class: fc.constantFrom('', 'Model', 'Prompt'),
  leaf_class: fc.constantFrom('', 'Leaf'),
  val: fc.constant('{"a":1}'),
  bytes: fc.nat(9),
  created: fc.record({ at: moment.map(isoOfMicros), by: fc.constantFrom('', 'u', 'v') }),
  written_ver: moment,
})
const deleted = fc.record({
  object_id: fc.constantFrom('a', 'b'),
  digest: fc.constantFrom('d1', 'd2', 'd3', 'd4'),
  deleted_ver: moment,
})

const sorted = <T extends object>(rows: readonly T[]) =>
  rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort()

it(
  'versions and heads are those that the engine makes',
  async () => {
    let n = 0
    const rows = fc.array(fc.oneof({ weight: 3, arbitrary: created }, deleted), {
      minLength: 1,
      maxLength: 20,
    })
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const project = `p${n++}`
        const { store } = service
        await store.insertRows(
          'objects',
          all.map((row) => ({ project_id: project, ...row })),
        )
        const objects = ['a', 'b'].map((object) => ({ project, object }))
        const keys = objects.map((key) => ({ ...key, digest: 'd1' }))
        const stored = await store.rows<StoredRow>(storedRows(objects))
        const made = await store.rows<Version & { live?: number }>(versions(objectsIn(objects)))
        for (const row of made) delete row.live
        expect(sorted(foldVersions(stored))).toEqual(sorted(made))
        const plain = ({ classes, ...head }: Head) => ({
          ...head,
          classes: [...new Set(classes.map(String))].sort(),
        })
        const headsMade = await store.rows<Head>(heads(keys))
        expect(sorted(foldHeads(stored, keys).map(plain))).toEqual(sorted(headsMade.map(plain)))
      }),
      { numRuns: rounds(10, 25), endOnFailure: true },
    )
  },
  rounds(60_000),
)

it('objects of more versions than are folded here are read all the same', async () => {
  const count = FEW_ROWS + 10
  const rows = Array.from({ length: count }, (_, i) => ({
    project_id: 'large',
    object_id: 'o',
    digest: `d${i}`,
    val: `${i}`,
    created: { at: isoOfMicros(BASE + i), by: 'u' },
    written_ver: BASE + i,
  }))
  await service.store.insertRows('objects', rows)
  const reader = new ObjectReader(service.store)
  const key = { project: 'large', object: 'o', digest: 'd7' }
  for (let times = 0; times < 2; times++) {
    reader.expect(key)
    expect(await reader.version({ ...key, by: 'latest' })).toMatchObject({
      digest: `d${count - 1}`,
      version_index: count - 1,
    })
    expect(await reader.version({ ...key, by: 'digest' })).toMatchObject({ version_index: 7, is_latest: 0 })
    expect(await reader.version({ ...key, by: 'index', index: 5 })).toMatchObject({ digest: 'd5' })
    expect(await reader.value(key)).toBe('7')
  }
})
