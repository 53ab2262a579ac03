/** Operations of Langfuse's datasets and their items. */
import { expect } from 'vitest'
import { until } from '../../support/until.js'
import { json, operation, type World } from './operation.js'

const NAME = 'golden set'

/** Makes a dataset with an item, as Langfuse's SDKs do. Resolves when a version of the dataset has the item. */
export async function datasetWithItem({ api, project, secret }: World, name: string) {
  const known = api.asUser(project)
  const dataset = await known.ok('/api/public/v2/datasets', { name, metadata: { secret } })
  const item = { datasetName: name, input: { secret }, expectedOutput: 1 }
  const { id } = await known.ok('/api/public/dataset-items', item)
  const latest = { latest_only: true, base_object_classes: ['Dataset'] }
  await until('a version with the item', async () => {
    const { objs } = await api.ok('/objs/query', { project_id: project, filter: latest })
    const digests = (objs as { val: { rows: string } }[]).map(({ val }) => val.rows.split('/').at(-1))
    const tables = digests.map((digest) => api.ok('/table/query', { project_id: project, digest }))
    return JSON.stringify(await Promise.all(tables)).includes(secret)
  })
  return { known, id: String(id), datasetId: String(dataset.id) }
}

const made = (world: World) => datasetWithItem(world, NAME)

const noPage = { why: 'no such page', query: { page: '0' }, status: 422, at: 'query.page' }

export const langfuseDatasets = [
  operation('POST', '/api/public/v2/datasets', 'write', ({ secret }) => ({
    valid: { body: { name: NAME, description: secret } },
    effect: (answer) =>
      expect(json(answer)).toMatchObject({ name: NAME, description: secret, metadata: null }),
    invalid: [{ why: 'no name', body: { description: 'd' }, status: 422, at: 'body.name' }],
  })),
  operation('GET', '/api/public/v2/datasets', 'read', async (world) => {
    await made(world)
    return {
      valid: {},
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          data: [{ name: NAME, metadata: { secret: world.secret } }],
          meta: { page: 1, limit: 50, totalItems: 1, totalPages: 1 },
        }),
      invalid: [noPage],
    }
  }),
  operation('GET', '/api/public/v2/datasets/{name}', 'read', async (world) => {
    await made(world)
    return {
      valid: { params: { name: NAME } },
      effect: (answer) => expect(json(answer)).toMatchObject({ metadata: { secret: world.secret } }),
      invalid: [{ why: 'an unknown name', params: { name: 'nope' }, status: 404 }],
    }
  }),
  operation('POST', '/api/public/dataset-items', 'write', async (world) => {
    await made(world)
    const body = { datasetName: NAME, id: 'i', input: world.secret, status: 'ACTIVE' }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({ id: 'i', input: world.secret, metadata: null }),
      invalid: [
        { why: 'an unknown dataset', body: { ...body, datasetName: 'nope' }, status: 404 },
        { why: 'an unknown status', body: { ...body, status: 'LOST' }, status: 422, at: 'body.status' },
        { why: 'a long id', body: { ...body, id: 'i'.repeat(256) }, status: 422, at: 'body.id' },
        { why: 'an id with a line break', body: { ...body, id: 'a\nb' }, status: 400 },
      ],
    }
  }),
  operation('GET', '/api/public/dataset-items', 'read', async (world) => {
    const { id } = await made(world)
    const query = { datasetName: NAME }
    return {
      valid: { query },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          data: [{ id, input: { secret: world.secret } }],
          meta: { totalItems: 1 },
        }),
      invalid: [
        { ...noPage, query: { ...query, page: '0' } },
        { why: 'no time', query: { ...query, version: 'then' }, status: 422, at: 'query.version' },
        { why: 'an unknown dataset', query: { datasetName: 'nope' }, status: 404 },
      ],
    }
  }),
  operation('GET', '/api/public/dataset-items/{id}', 'read', async (world) => {
    const { id } = await made(world)
    return {
      valid: { params: { id: String(id) } },
      effect: (answer) => expect(json(answer)).toMatchObject({ id, input: { secret: world.secret } }),
      invalid: [{ why: 'an unknown id', params: { id: 'nope' }, status: 404 }],
    }
  }),
  operation('DELETE', '/api/public/dataset-items/{id}', 'write', async (world) => {
    const { id } = await made(world)
    const { api, project } = world
    return {
      valid: { params: { id: String(id) } },
      effect: async () =>
        expect((await api.asUser(project).get(`/api/public/dataset-items/${id}`)).status).toBe(404),
      invalid: [{ why: 'an unknown id', params: { id: 'nope' }, status: 404 }],
    }
  }),
]
