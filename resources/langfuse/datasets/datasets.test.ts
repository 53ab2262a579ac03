/** Datasets and their items over a real store, by two services that share it as two processes do. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { RedisLeases } from '../../../platform/leases/redis.js'
import { TestRedis } from '../../../platform/testing/redis.js'
import { startService, type TestService } from '../../../query/testing/service.js'
import { createResources } from '../../routes.js'

let redis: TestRedis
let services: TestService[] = []
const leases: RedisLeases[] = []
beforeAll(async () => {
  redis = await TestRedis.start()
  const routes = (store: Parameters<Parameters<typeof startService>[0]>[0]) => {
    const own = new RedisLeases(redis.url)
    leases.push(own)
    return createResources({ store, version: '1', leases: own }).routes
  }
  const first = await startService(routes)
  services = [first, await first.again()]
}, 120_000)
afterAll(async () => {
  for (const service of services.reverse()) await service.stop()
  for (const one of leases) await one.close()
  await redis?.stop()
})

const project = 'acme/one'
const authorization = `Basic ${Buffer.from(`${project}:all`).toString('base64')}`
const send = (method: string, path: string, body?: object, at = 0) =>
  services[at]!.send(method, `/api/public${path}`, body, { authorization })
const create = (datasetName: string, item: object, at = 0) =>
  send('POST', '/dataset-items', { datasetName, ...item }, at)
const list = async (name: string, more = '', at = 0) =>
  (await send('GET', `/dataset-items?datasetName=${encodeURIComponent(name)}${more}`, undefined, at)).json

/** The rows of the newest version of the dataset's object, as other clients see them. */
async function published(object: string): Promise<Record<string, unknown>[]> {
  const read = await services[0]!.post('/obj/read', {
    project_id: project,
    object_id: object,
    digest: 'latest',
  })
  const digest = read.json.obj.val.rows.split('/').at(-1)
  const { json } = await services[0]!.post('/table/query', { project_id: project, digest })
  return json.rows.map(({ val }: { val: object }) => val)
}

describe('changes by two processes at once', () => {
  it('none is lost, and all are in the dataset that other clients see', async () => {
    await send('POST', '/v2/datasets', { name: 'both' })
    const ids = Array.from({ length: 120 }, (_, i) => `item-${i}`)
    const answers = await Promise.all(ids.map((id, i) => create('both', { id, input: { i } }, i % 2)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    // Two halves of the same item, from either process: each says one field.
    await Promise.all(
      ids.flatMap((id, i) => [
        create('both', { id, expectedOutput: i }, i % 2),
        create('both', { id, metadata: { of: i } }, (i + 1) % 2),
      ]),
    )
    const all = await Promise.all([1, 2].map((page) => list('both', `&limit=100&page=${page}`, page - 1)))
    expect(all[0].meta).toEqual({ page: 1, limit: 100, totalItems: 120, totalPages: 2 })
    const found = all.flatMap(({ data }) => data)
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(ids))
    for (const { id, input, expectedOutput, metadata } of found)
      expect([`item-${input.i}`, `item-${expectedOutput}`, `item-${metadata.of}`]).toEqual([id, id, id])
    await vi.waitFor(
      async () => {
        const rows = await published('both')
        expect(rows).toHaveLength(120)
        for (const { id, input, expected_output } of rows as never as {
          id: string
          input: { i: number }
          expected_output: number
        }[])
          expect([`item-${input.i}`, `item-${expected_output}`]).toEqual([id, id])
      },
      { timeout: 20_000, interval: 100 },
    )
  })
})

describe('versions', () => {
  it('a dataset is read as it was: before a change, a deletion and an archived item', async () => {
    await send('POST', '/v2/datasets', { name: 'past' })
    await create('past', { id: 'p1', input: 'one' })
    await create('past', { id: 'p2', input: 'two' })
    const { json } = await create('past', { id: 'p3', input: 'three' })
    await create('past', { id: 'p1', input: 'uno' })
    await send('DELETE', '/dataset-items/p2')
    await create('past', { id: 'p3', status: 'ARCHIVED' })
    const inputs = ({ data }: { data: { id: string; input: string }[] }) =>
      data.map(({ id, input }) => [id, input])
    expect(inputs(await list('past'))).toEqual([['p1', 'uno']])
    const then = [
      ['p3', 'three'],
      ['p2', 'two'],
      ['p1', 'one'],
    ]
    const at = encodeURIComponent(json.version)
    expect(inputs(await list('past', `&version=${at}`))).toEqual(then)
    await vi.waitFor(async () => expect(await published('past')).toEqual([{ id: 'p1', input: 'uno' }]), {
      timeout: 20_000,
    })
    expect(inputs(await list('past', `&version=${at}`))).toEqual(then)
    expect((await list('past', '&version=2020-01-01T00:00:00Z')).data).toEqual([])
    expect((await send('GET', '/dataset-items/p3')).json).toMatchObject({
      status: 'ARCHIVED',
      input: 'three',
    })
    expect((await send('GET', '/dataset-items/p2')).status).toBe(404)
  })
})

describe('datasets of other clients', () => {
  it('their rows are items, which can be changed', async () => {
    const rows = [
      { question: 'a?', answer: 'a' },
      { input: 1, expected: 2 },
    ]
    const table = await services[0]!.post('/table/create', { table: { project_id: project, rows } })
    const val = {
      ...{ _type: 'Dataset', _class_name: 'Dataset', _bases: ['Object', 'BaseModel'], name: 'Woven' },
      rows: `weave:///${project}/table/${table.json.digest}`,
    }
    await services[0]!.post('/obj/create', { obj: { project_id: project, object_id: 'Woven', val } })
    expect((await send('GET', '/v2/datasets/Woven')).json).toMatchObject({ id: 'Woven', name: 'Woven' })
    const { data } = await list('Woven')
    expect(data).toMatchObject([
      { input: 1, expectedOutput: 2 },
      { input: rows[0], expectedOutput: 'a', datasetName: 'Woven' },
    ])
    expect((await send('GET', `/dataset-items/${encodeURIComponent(data[0].id)}`)).json).toEqual(data[0])
    await create('Woven', { id: data[0].id, expectedOutput: 3 })
    const now = await list('Woven')
    expect(now.data).toMatchObject([{ id: data[0].id, input: 1, expectedOutput: 3 }, { id: data[1].id }])
    await vi.waitFor(
      async () =>
        expect(await published('Woven')).toEqual([rows[0], { id: data[0].id, input: 1, expected_output: 3 }]),
      { timeout: 20_000 },
    )
  })

  it('a table of another project is nobody else’s', async () => {
    const rows = [{ secret: 1 }]
    const table = await services[0]!.post('/table/create', { table: { project_id: 'other/two', rows } })
    const val = {
      ...{ _type: 'Dataset', _class_name: 'Dataset', _bases: ['Object', 'BaseModel'] },
      rows: `weave:///other/two/table/${table.json.digest}`,
    }
    await services[0]!.post('/obj/create', { obj: { project_id: project, object_id: 'Thief', val } })
    expect((await list('Thief')).data).toEqual([])
  })
})

it('values that don’t match the dataset’s schema are refused', async () => {
  const inputSchema = { type: 'object', required: ['q'] }
  await send('POST', '/v2/datasets', { name: 'strict', inputSchema, description: 'd' })
  expect((await create('strict', { input: { a: 1 } })).json).toMatchObject({
    message: "The input does not match the dataset's schema for it.",
  })
  expect((await create('strict', { input: { q: 1 } })).status).toBe(200)
  const again = await send('POST', '/v2/datasets', { name: 'strict', metadata: { by: 'me' } })
  expect(again.json).toMatchObject({ description: 'd', metadata: { by: 'me' }, inputSchema })
})

it('items are found by what they were made from', async () => {
  await send('POST', '/v2/datasets', { name: 'made/from' })
  await create('made/from', { id: 'f1', input: 1, sourceTraceId: 't1', sourceObservationId: 'o1' })
  await create('made/from', { id: 'f2', input: 2, sourceTraceId: 't2' })
  const ids = async (more: string) => (await list('made/from', more)).data.map(({ id }: { id: string }) => id)
  expect(await ids('&sourceTraceId=t1')).toEqual(['f1'])
  expect(await ids('&sourceTraceId=t2&sourceObservationId=o1')).toEqual([])
  expect(await ids('')).toEqual(['f2', 'f1'])
})
