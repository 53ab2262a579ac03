/** Operations on tables. */
import { expect } from 'vitest'
import { jsonLines } from '../../support/api.js'
import { json, operation, type World } from './operation.js'

interface Made {
  digest: string
  row_digests: string[]
}

const rowsOf = ({ secret }: World) => [{ n: 2, text: secret }, { n: 1, text: secret }, { n: 3 }]

/** Creates a table of three rows. */
async function created({ api, project, secret }: World): Promise<Made> {
  const rows = rowsOf({ api, project, secret })
  const { digest, row_digests } = await api.ok('/table/create', { table: { project_id: project, rows } })
  return { digest: String(digest), row_digests: (row_digests as unknown[]).map(String) }
}

async function numbers({ api, project }: World, digest: unknown): Promise<unknown[]> {
  const { rows } = await api.ok('/table/query', { project_id: project, digest })
  return (rows as { val: { n: number } }[]).map(({ val }) => val.n)
}

export const tables = [
  operation('POST', '/table/create', 'write', (world) => {
    const table = { project_id: world.project, rows: rowsOf(world) }
    return {
      valid: { body: { table } },
      effect: async (answer) => expect(await numbers(world, json(answer).digest)).toEqual([2, 1, 3]),
      invalid: [
        {
          why: 'a row is a number',
          body: { table: { ...table, rows: [{}, 5] } },
          status: 422,
          at: 'body.table.rows.1',
        },
        {
          why: 'another digest is expected',
          body: { table: { ...table, expected_digest: 'x' } },
          status: 409,
        },
      ],
    }
  }),

  operation('POST', '/table/create_from_digests', 'write', async (world) => {
    const { row_digests } = await created(world)
    const body = { project_id: world.project, row_digests: row_digests.slice(1) }
    return {
      valid: { body },
      effect: async (answer) => expect(await numbers(world, json(answer).digest)).toEqual([1, 3]),
      invalid: [
        {
          why: 'digests are a text',
          body: { ...body, row_digests: 'x' },
          status: 422,
          at: 'body.row_digests',
        },
        { why: 'another digest is expected', body: { ...body, expected_digest: 'x' }, status: 409 },
      ],
    }
  }),

  operation('POST', '/table/update', 'write', async (world) => {
    const { digest, row_digests } = await created(world)
    const updates = [
      { append: { row: { n: 4 } } },
      { pop: { index: 0 } },
      { insert: { index: 0, row: { n: 0 } } },
    ]
    const body = { project_id: world.project, base_digest: digest, updates }
    return {
      valid: { body },
      effect: async (answer) => {
        expect(await numbers(world, json(answer).digest)).toEqual([0, 1, 3, 4])
        expect(json<{ updated_row_digests: string[] }>(answer).updated_row_digests[1]).toBe(row_digests[0])
      },
      invalid: [
        { why: 'no such row', body: { ...body, updates: [{ pop: { index: 9 } }] }, status: 400 },
        { why: 'no such table', body: { ...body, base_digest: 'f'.repeat(64) }, status: 404 },
        {
          why: 'no such change',
          body: { ...body, updates: [{ turn: {} }] },
          status: 422,
          at: 'body.updates.0',
        },
      ],
    }
  }),

  operation('POST', '/table/query', 'read', async (world) => {
    const { digest } = await created(world)
    const body = { project_id: world.project, digest, sort_by: [{ field: 'n', direction: 'asc' }], limit: 2 }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer).rows).toMatchObject([
          { val: { n: 1, text: world.secret }, original_index: 1 },
          { val: { n: 2, text: world.secret }, original_index: 0 },
        ]),
      invalid: [
        { why: 'the limit is a text', body: { ...body, limit: 'all' }, status: 422, at: 'body.limit' },
      ],
    }
  }),

  operation('POST', '/table/query_stream', 'read', async (world) => {
    const { digest, row_digests } = await created(world)
    const body = { project_id: world.project, digest, filter: { row_digests: [row_digests[0]] } }
    return {
      valid: { body },
      effect: ({ text }) => expect(jsonLines(text)).toMatchObject([{ val: { n: 2, text: world.secret } }]),
      invalid: [
        {
          why: 'no such direction',
          body: { ...body, sort_by: [{ field: 'n', direction: 'up' }] },
          status: 422,
          at: 'body.sort_by.0.direction',
        },
      ],
    }
  }),

  operation('POST', '/table/query_stats', 'read', async (world) => {
    const { digest } = await created(world)
    const body = { project_id: world.project, digest }
    return {
      valid: { body },
      effect: (answer) => expect(json(answer)).toEqual({ count: 3 }),
      invalid: [{ why: 'no digest', body: { ...body, digest: undefined }, status: 422, at: 'body.digest' }],
    }
  }),

  operation('POST', '/table/query_stats_batch', 'read', async (world) => {
    const { digest } = await created(world)
    const body = { project_id: world.project, digests: [digest, 'f'.repeat(64)], include_storage_size: true }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer).tables).toEqual([{ count: 3, digest, storage_size_bytes: expect.any(Number) }]),
      invalid: [
        { why: 'digests are a text', body: { ...body, digests: digest }, status: 422, at: 'body.digests' },
      ],
    }
  }),
]
