import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../cli/serve/reads.js'
import { sql } from '../platform/clickhouse/sql.js'
import { projectIdOf } from '../platform/ids/project.js'
import { startService, type TestService } from '../query/testing/service.js'
import { NameBits } from './names.js'

describe('bits of names', () => {
  it('know each name that was added', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        const bits = new NameBits()
        for (const name of names) bits.add(name)
        return names.every((name) => bits.mayHave(name))
      }),
      { numRuns: 20 },
    )
  })

  it('tell who is added for the first time', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), (names) => {
        const bits = new NameBits()
        const isNew = names.map((name) => bits.add(name))
        // One in many thousands may look as if it had been there.
        return isNew.filter((yes) => !yes).length <= 1 && !names.some((name) => bits.add(name))
      }),
      { numRuns: 20 },
    )
  })

  it('know hardly any other', () => {
    const bits = new NameBits()
    for (let n = 0; n < 100_000; n++) bits.add(`UHJvamVjdA\tobject-${n}`)
    const others = Array.from({ length: 100_000 }, (_, n) => `UHJvamVjdA\tthing_${n}`)
    expect(others.filter((name) => bits.mayHave(name)).length).toBeLessThan(10)
  })
})

describe('the only process of a store', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService((store) => createReads({ store, version: '', alone: true }).routes)
  }, 120_000)
  afterAll(() => service.stop())

  const project_id = 'acme/alone'
  const create = (object_id: string, val: object) =>
    service.post('/obj/create', JSON.stringify({ obj: { project_id, object_id, val } }))
  const read = (object_id: string, digest: unknown = 'latest') =>
    service.post('/obj/read', { project_id, object_id, digest })
  const classed = (name: string) => ({ _class_name: name, _bases: [name, 'Object', 'BaseModel'] })

  it('refuses another class under a name, whoever made it, now and after a restart', async () => {
    await create('first', {})
    for (const name of ['a', 'größe']) expect((await create(name, classed('Model'))).status).toBe(200)
    expect((await create('a', classed('Scorer'))).status).toBe(400)
    const restarted = await service.again()
    const obj = { project_id, object_id: 'größe', val: classed('Scorer') }
    // The first one after a start may come before the names are read, the next ones after.
    for (let n = 0; n < 5; n++)
      expect((await restarted.post('/obj/create', JSON.stringify({ obj }))).status).toBe(400)
    await restarted.stop()
  })

  it('stores a row of a table once, now and after a restart', async () => {
    const table = async (where: TestService, rows: object[]) => {
      const { json } = await where.post('/table/create', JSON.stringify({ table: { project_id, rows } }))
      const { digest } = json
      return (await where.post('/table/query', { project_id, digest })).json.rows as { val: object }[]
    }
    const count = async (where: TestService) =>
      (await where.store.row(sql`SELECT count() AS n FROM table_rows WHERE val LIKE '%once%'`)) as {
        n: number
      }
    const once = { once: 1 }
    for (let n = 0; n < 5; n++) {
      const rows = [once, { n }, once, { once: 2 }]
      expect((await table(service, rows)).map(({ val }) => val)).toEqual(rows)
    }
    expect(await count(service)).toEqual({ n: 2 })
    const restarted = await service.again()
    for (let n = 0; n < 5; n++) {
      const rows = [{ n: 100 + n }, once]
      expect((await table(restarted, rows)).map(({ val }) => val)).toEqual(rows)
    }
    expect(await count(restarted)).toEqual({ n: 2 })
    await restarted.stop()
  })

  it('gives what it has just published, by digest and as latest', async () => {
    for (let n = 0; n < 20; n++) {
      const { json } = await create('counted', { n })
      const found = { digest: json.digest, version_index: n, is_latest: 1, val: { n } }
      expect((await read('counted', json.digest)).json.obj).toMatchObject(found)
      expect((await read('counted')).json.obj).toMatchObject(found)
    }
  })

  it('makes a version latest that comes after the one that a span has made', async () => {
    const ver = (Date.now() + 60_000) * 1000
    const row = { project_id: projectIdOf(project_id), object_id: 'op', digest: 'x', kind: 'op', val: '{}' }
    await service.store.insertRows('objects', [{ ...row, written_ver: ver, created: { at: ver, by: '' } }])
    const { json } = await create('op', { _type: 'CustomWeaveType', weave_type: { type: 'Op' } })
    expect((await read('op')).json.obj).toMatchObject({ digest: json.digest, is_latest: 1 })
  })
})
