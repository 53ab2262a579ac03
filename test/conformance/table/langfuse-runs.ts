/** Operations of runs of Langfuse's datasets. */
import { expect } from 'vitest'
import type { Row } from '../../support/api.js'
import { datasetWithItem } from './langfuse-datasets.js'
import { json, operation, type World } from './operation.js'

const NAME = 'golden set'
const RUN = 'first try'

/** A dataset with an item, and the link of the item to a trace, which is not sent yet. */
async function made(world: World) {
  const { known, id, datasetId } = await datasetWithItem(world, NAME)
  const { secret } = world
  const link = { runName: RUN, runDescription: secret, datasetItemId: id, traceId: `trace-${secret}` }
  return { known, datasetId, link }
}

async function linked(world: World) {
  const { known, link, datasetId } = await made(world)
  return { known, datasetId, ...(await known.ok('/api/public/dataset-run-items', link)) } as Row & {
    known: World['api']
    datasetId: string
  }
}

const params = { name: NAME, run: RUN }
const unknown = [
  { why: 'an unknown run', params: { ...params, run: 'nope' }, status: 404 },
  { why: 'an unknown dataset', params: { ...params, name: 'nope' }, status: 404 },
] as const

export const langfuseRuns = [
  operation('POST', '/api/public/dataset-run-items', 'write', async (world) => {
    const { link } = await made(world)
    return {
      valid: { body: link },
      effect: async (answer) => {
        expect(json(answer)).toMatchObject({
          datasetRunName: RUN,
          traceId: link.traceId,
          observationId: null,
        })
        const runs = await world.api.get(`/v2/${world.project}/evaluation_runs`)
        expect(JSON.parse(runs.text)).toMatchObject({ model: RUN, status: 'running' })
      },
      invalid: [
        { why: 'an unknown item', body: { ...link, datasetItemId: 'nope' }, status: 404 },
        { why: 'neither trace nor observation', body: { ...link, traceId: null }, status: 400 },
        { why: 'no name', body: { ...link, runName: '' }, status: 422, at: 'body.runName' },
      ],
    }
  }),
  operation('GET', '/api/public/dataset-run-items', 'read', async (world) => {
    const { datasetId, id } = await linked(world)
    const query = { datasetId, runName: RUN }
    return {
      valid: { query },
      effect: (answer) => expect(json(answer)).toMatchObject({ data: [{ id }], meta: { totalItems: 1 } }),
      invalid: [{ why: 'no such page', query: { ...query, page: '0' }, status: 422, at: 'query.page' }],
    }
  }),
  operation('GET', '/api/public/datasets/{name}/runs', 'read', async (world) => {
    const { datasetRunId } = await linked(world)
    return {
      valid: { params: { name: NAME } },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          data: [{ id: datasetRunId, name: RUN, datasetName: NAME, description: world.secret }],
          meta: { totalItems: 1 },
        }),
      invalid: [{ why: 'an unknown dataset', params: { name: 'nope' }, status: 404 }],
    }
  }),
  operation('GET', '/api/public/datasets/{name}/runs/{run}', 'read', async (world) => {
    const { id, datasetItemId } = await linked(world)
    return {
      valid: { params },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({ name: RUN, datasetRunItems: [{ id, datasetItemId }] }),
      invalid: unknown,
    }
  }),
  operation('DELETE', '/api/public/datasets/{name}/runs/{run}', 'write', async (world) => {
    const { known } = await linked(world)
    return {
      valid: { params },
      effect: async () => {
        const path = `/api/public/datasets/${encodeURIComponent(NAME)}/runs`
        expect(json(await known.get(path))).toMatchObject({ data: [] })
        expect((await world.api.get(`/v2/${world.project}/evaluation_runs`)).text).toBe('')
      },
      invalid: unknown,
    }
  }),
]
