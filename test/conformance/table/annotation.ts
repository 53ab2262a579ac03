/** Operations on annotation queues. */
import { expect } from 'vitest'
import { jsonLines } from '../../support/api.js'
import { stored } from './calls.js'
import { json, operation, type World } from './operation.js'

/** Makes a queue named like the secret and returns its id as path parameters. */
async function queue({ api, project, secret }: World): Promise<{ queue_id: string }> {
  const { id } = await api.ok('/annotation_queues', { project_id: project, name: secret, scorer_refs: [] })
  return { queue_id: String(id) }
}

/** A queue with one call in it. */
async function filled(world: World): Promise<{ queue_id: string; item_id: string; call_id: unknown }> {
  const { queue_id } = await queue(world)
  const { id } = await stored(world, { op_name: world.secret })
  const body = { project_id: world.project, call_ids: [id], display_fields: ['inputs.text'] }
  await world.api.ok(`/annotation_queues/${queue_id}/items`, body)
  const [item] = await items(world, queue_id)
  return { queue_id, item_id: String(item?.id), call_id: id }
}

async function items({ api, project }: World, queueId: string): Promise<Record<string, unknown>[]> {
  const answer = await api.ok(`/annotation_queues/${queueId}/items/query`, { project_id: project })
  return answer.items as Record<string, unknown>[]
}

async function read({ api, project }: World, queueId: unknown) {
  return api.get(`/annotation_queues/${queueId}?project_id=${encodeURIComponent(project)}`)
}

const NOPE = { queue_id: 'nope' }

export const annotation = [
  operation('POST', '/annotation_queues', 'write', (world) => {
    const body = { project_id: world.project, name: world.secret, description: 'for people', scorer_refs: [] }
    return {
      valid: { body },
      effect: async (answer) =>
        expect(json(await read(world, json(answer).id))).toMatchObject({ queue: { name: world.secret } }),
      invalid: [
        { why: 'no name', body: { ...body, name: undefined }, status: 422, at: 'body.name' },
        { why: 'an empty name', body: { ...body, name: '' }, status: 422, at: 'body.name' },
      ],
    }
  }),

  operation('POST', '/annotation_queues/query', 'read', async (world) => {
    const { queue_id } = await queue(world)
    const body = { project_id: world.project, name: world.secret }
    return {
      valid: { body },
      effect: ({ text }) => expect(jsonLines(text)).toMatchObject([{ id: queue_id, name: world.secret }]),
      invalid: [
        {
          why: 'no such direction',
          body: { ...body, sort_by: [{ field: 'name', direction: 'down' }] },
          status: 422,
          at: 'body.sort_by.0.direction',
        },
      ],
    }
  }),

  operation('POST', '/annotation_queues/stats', 'read', async (world) => {
    const { queue_id } = await filled(world)
    const body = { project_id: world.project, queue_ids: [queue_id] }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer).stats).toEqual([{ queue_id, total_items: 1, completed_items: 0 }]),
      invalid: [
        { why: 'ids are a text', body: { ...body, queue_ids: queue_id }, status: 422, at: 'body.queue_ids' },
      ],
    }
  }),

  operation('GET', '/annotation_queues/{queue_id}', 'read', async (world) => {
    const params = await queue(world)
    const query = { project_id: world.project }
    return {
      valid: { params, query },
      effect: (answer) =>
        expect(json(answer).queue).toMatchObject({ id: params.queue_id, name: world.secret }),
      invalid: [{ why: 'no such queue', params: NOPE, query, status: 404 }],
    }
  }),

  operation('PUT', '/annotation_queues/{queue_id}', 'write', async (world) => {
    const params = await queue(world)
    const body = { project_id: world.project, description: 'changed' }
    return {
      valid: { params, body },
      effect: async () =>
        expect(json(await read(world, params.queue_id)).queue).toMatchObject({
          name: world.secret,
          description: 'changed',
        }),
      invalid: [
        { why: 'no such queue', params: NOPE, body, status: 404 },
        { why: 'the name is a number', params, body: { ...body, name: 5 }, status: 422, at: 'body.name' },
      ],
    }
  }),

  operation('DELETE', '/annotation_queues/{queue_id}', 'write', async (world) => {
    const params = await queue(world)
    const query = { project_id: world.project }
    return {
      valid: { params, query },
      effect: async (answer) => {
        expect(json(answer).queue).toMatchObject({ deleted_at: expect.any(String) })
        expect((await read(world, params.queue_id)).status).toBe(404)
      },
      invalid: [{ why: 'no such queue', params: NOPE, query, status: 404 }],
    }
  }),

  operation('POST', '/annotation_queues/{queue_id}/items', 'write', async (world) => {
    const params = await queue(world)
    const { id } = await stored(world)
    const body = { project_id: world.project, call_ids: [id, 'unknown'], display_fields: ['output'] }
    return {
      valid: { params, body },
      effect: async (answer) => {
        expect(json(answer)).toEqual({ added_count: 1, duplicates: 0 })
        expect(await items(world, params.queue_id)).toMatchObject([
          { call_id: id, display_fields: ['output'] },
        ])
      },
      invalid: [
        { why: 'no such queue', params: NOPE, body, status: 404 },
        {
          why: 'no fields',
          params,
          body: { ...body, display_fields: undefined },
          status: 422,
          at: 'body.display_fields',
        },
      ],
    }
  }),

  operation('POST', '/annotation_queues/{queue_id}/items/query', 'read', async (world) => {
    const { queue_id, item_id, call_id } = await filled(world)
    const params = { queue_id }
    const body = {
      project_id: world.project,
      filter: { annotation_states: ['unstarted'] },
      include_position: true,
    }
    return {
      valid: { params, body },
      effect: (answer) =>
        expect(json(answer).items).toMatchObject([
          { id: item_id, call_id, call_op_name: world.secret, position_in_queue: 1 },
        ]),
      invalid: [
        {
          why: 'no such state',
          params,
          body: { ...body, filter: { annotation_states: ['lost'] } },
          status: 422,
          at: 'body.filter.annotation_states.0',
        },
      ],
    }
  }),

  operation('POST', '/annotation_queues/{queue_id}/items/{item_id}/progress', 'write', async (world) => {
    const { queue_id, item_id } = await filled(world)
    const params = { queue_id, item_id }
    const body = { project_id: world.project, annotation_state: 'in_progress' }
    return {
      valid: { params, body },
      effect: async () =>
        expect(await items(world, queue_id)).toMatchObject([
          { id: item_id, annotation_state: 'in_progress' },
        ]),
      invalid: [
        { why: 'no move back', params, body: { ...body, annotation_state: 'unstarted' }, status: 400 },
        { why: 'no such state', params, body: { ...body, annotation_state: 'lost' }, status: 400 },
        { why: 'no such item', params: { queue_id, item_id: 'nope' }, body, status: 404 },
      ],
    }
  }),
]

/** Not in the contract's list. */
export const annotators = [
  operation('GET', '/annotation_queues/{queue_id}/annotators', 'read', async (world) => {
    const { queue_id, item_id } = await filled(world)
    const path = `/annotation_queues/${queue_id}/items/${item_id}/progress`
    await world.api.ok(path, { project_id: world.project, annotation_state: 'completed' })
    const query = { project_id: world.project }
    return {
      valid: { params: { queue_id }, query },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          annotators: [{ completed_items: 1, skipped_items: 0, in_progress_items: 0 }],
          agreement: [],
        }),
      invalid: [{ why: 'no such queue', params: NOPE, query, status: 404 }],
    }
  }),
]
