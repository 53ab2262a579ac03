/** Operations on calls, their usage and statistics. */
import { expect } from 'vitest'
import { jsonLines } from '../../support/api.js'
import { at, complete, halves, v2 } from '../../support/calls.js'
import { uuid7 } from '../../support/ids.js'
import { json, type Operation, operation, type World } from './operation.js'

const usage = { usage: { m: { prompt_tokens: 3, completion_tokens: 4, requests: 1 } } }

/** A finished call with the secret of the world in it, not yet stored. */
function fresh({ project, secret }: World, more: Record<string, unknown> = {}) {
  return complete(project, { inputs: { text: secret }, output: secret, summary: usage, ...more })
}

/** A stored one. */
export async function stored(world: World, more: Record<string, unknown> = {}) {
  const call = fresh(world, more)
  await world.api.ok(v2(world.project, 'calls/complete'), { batch: [call] })
  return call
}

async function read({ api, project }: World, id: unknown) {
  const { call } = await api.ok('/call/read', { project_id: project, id })
  return call
}

export const calls = [
  operation('POST', '/call/start', 'write', (world) => {
    const { start } = halves(fresh(world))
    return {
      valid: { body: { start } },
      effect: async () =>
        expect(await read(world, start.id)).toMatchObject({ inputs: { text: world.secret }, ended_at: null }),
      invalid: [
        {
          why: 'op_name is a number',
          body: { start: { ...start, op_name: 7 } },
          status: 422,
          at: 'body.start.op_name',
        },
        { why: 'no start', body: {}, status: 422, at: 'body.start' },
      ],
    }
  }),

  operation('POST', '/call/end', 'write', async (world) => {
    const { start, end } = halves(fresh(world))
    await world.api.ok('/call/start', { start })
    return {
      valid: { body: { end } },
      effect: async () =>
        expect(await read(world, start.id)).toMatchObject({ output: world.secret, ended_at: at(1) }),
      invalid: [
        {
          why: 'no summary',
          body: { end: { ...end, summary: undefined } },
          status: 422,
          at: 'body.end.summary',
        },
      ],
    }
  }),

  operation('POST', '/call/read', 'read', async (world) => {
    const { id } = await stored(world)
    const body = { project_id: world.project, id }
    return {
      valid: { body },
      effect: (answer) => expect(json(answer).call).toMatchObject({ id, inputs: { text: world.secret } }),
      invalid: [{ why: 'the id is a number', body: { ...body, id: 5 }, status: 422, at: 'body.id' }],
    }
  }),

  operation('POST', '/call/update', 'write', async (world) => {
    const { id } = await stored(world)
    const body = { project_id: world.project, call_id: id, display_name: 'shown' }
    return {
      valid: { body },
      effect: async () => expect(await read(world, id)).toMatchObject({ display_name: 'shown' }),
      invalid: [{ why: 'nothing to change', body: { ...body, display_name: null }, status: 400 }],
    }
  }),

  operation('POST', '/call/upsert_batch', 'write', (world) => {
    const { start, end } = halves(fresh(world))
    const batch = [
      { mode: 'start', req: { start } },
      { mode: 'end', req: { end } },
    ]
    return {
      valid: { body: { batch } },
      effect: async (answer) => {
        expect(json(answer)).toEqual({ res: [{ id: start.id, trace_id: start.trace_id }, {}] })
        expect(await read(world, start.id)).toMatchObject({ output: world.secret })
      },
      invalid: [
        {
          why: 'one of them has an unknown mode',
          body: { batch: [batch[0], { mode: 'middle', req: {} }] },
          status: 422,
          at: 'body.batch.1.mode',
        },
      ],
    }
  }),

  operation('POST', '/calls/delete', 'write', async (world) => {
    const root = await stored(world)
    const child = await stored(world, { trace_id: root.trace_id, parent_id: root.id })
    const body = { project_id: world.project, call_ids: [root.id] }
    return {
      valid: { body },
      effect: async (answer) => {
        expect(json(answer)).toEqual({ num_deleted: 2 })
        expect(await read(world, child.id)).toBeNull()
      },
      invalid: [
        { why: 'a text', body: { ...body, call_ids: 'all' }, status: 422, at: 'body.call_ids' },
        {
          why: '1,001 of them',
          body: { ...body, call_ids: Array.from({ length: 1001 }, () => root.id) },
          status: 413,
        },
      ],
    }
  }),

  operation('POST', '/calls/query_stats', 'read', async (world) => {
    await stored(world)
    await stored(world)
    const body = { project_id: world.project }
    return {
      valid: { body },
      effect: (answer) => expect(json(answer)).toMatchObject({ count: 2, has_more: false }),
      invalid: [
        { why: 'the limit is 0', body: { ...body, limit: 0 }, status: 400 },
        {
          why: 'an unknown field',
          body: { ...body, query: { $expr: { $eq: [{ $getField: 'nope' }, { $literal: 1 }] } } },
          status: 422,
        },
      ],
    }
  }),

  operation('POST', '/calls/activity', 'read', async (world) => {
    const now = new Date().toISOString()
    await stored(world, { started_at: now, ended_at: now })
    const body = { project_ids: [world.project] }
    return {
      valid: { body },
      effect: (answer) => {
        const { projects } = json<{ projects: Record<string, unknown>[] }>(answer)
        expect(projects).toMatchObject([
          { project_id: world.project, error_count: 0, total_tokens: 7, total_cost: null },
        ])
        expect((projects[0]!.call_counts as number[]).at(-1)).toBe(1)
        expect(Date.parse(String(projects[0]!.last_call_at))).toBe(Date.parse(now))
      },
      invalid: [
        { why: 'no project', body: { project_ids: [] }, status: 422, at: 'body.project_ids' },
        { why: 'a name that is none', body: { project_ids: ['x'] }, status: 422, at: 'body.project_ids.0' },
      ],
    }
  }),

  operation('POST', '/calls/facets', 'read', async (world) => {
    await stored(world)
    const body = { project_id: world.project, facets: [{ field: 'summary.weave.status' }] }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          is_partial: false,
          facets: [{ field: 'summary.weave.status', values: [{ value: 'success', count: 1 }] }],
        }),
      invalid: [
        { why: 'an unknown field', body: { ...body, facets: [{ field: 'nope' }] }, status: 422 },
        { why: 'no facet', body: { ...body, facets: [] }, status: 422, at: 'body.facets' },
      ],
    }
  }),

  operation('POST', '/calls/stats', 'read', async (world) => {
    await stored(world)
    const body = {
      project_id: world.project,
      start: at(-60),
      end: at(60),
      granularity: 3600,
      call_metrics: [{ metric: 'call_count' }],
      usage_metrics: [{ metric: 'total_tokens' }],
    }
    return {
      valid: { body },
      effect: (answer) => {
        const { call_buckets, usage_buckets } = json<Record<string, Record<string, number>[]>>(answer)
        expect(call_buckets?.map((bucket) => bucket.sum_call_count)).toContain(1)
        expect(usage_buckets?.map((bucket) => bucket.sum_total_tokens)).toContain(7)
      },
      invalid: [
        {
          why: 'no such time zone',
          body: { ...body, timezone: 'Moon/Tycho' },
          status: 422,
          at: 'body.timezone',
        },
        { why: '32 days', body: { ...body, end: at(32 * 86_400) }, status: 422, at: 'body.end' },
        { why: 'no start', body: { ...body, start: undefined }, status: 422, at: 'body.start' },
      ],
    }
  }),

  operation('POST', '/calls/stream_query', 'read', async (world) => {
    const { id } = await stored(world)
    const body = {
      project_id: world.project,
      query: { $expr: { $eq: [{ $getField: 'inputs.text' }, { $literal: world.secret }] } },
      sort_by: [{ field: 'started_at', direction: 'desc' }],
    }
    return {
      valid: { body },
      effect: ({ text }) => expect(jsonLines(text)).toMatchObject([{ id, output: world.secret }]),
      invalid: [
        {
          why: 'no such direction',
          body: { ...body, sort_by: [{ field: 'id', direction: 'down' }] },
          status: 422,
          at: 'body.sort_by.0.direction',
        },
        {
          why: 'an unknown field',
          body: { ...body, sort_by: [{ field: 'nope', direction: 'asc' }] },
          status: 422,
        },
        {
          why: 'more than $expr',
          body: { ...body, query: { ...body.query, x: 1 } },
          status: 422,
          at: 'body.query',
        },
      ],
    }
  }),

  operation('POST', '/calls/query', 'read', async (world) => {
    const { id } = await stored(world)
    const other = await stored(world)
    const body = { project_id: world.project, sort_by: [{ field: 'id', direction: 'asc' }] }
    return {
      valid: { body },
      effect: (answer) =>
        expect((json(answer).calls as { id: string }[]).map((call) => call.id)).toEqual(
          [id, other.id].sort(),
        ),
      invalid: [
        {
          why: 'no such direction',
          body: { ...body, sort_by: [{ field: 'id', direction: 'down' }] },
          status: 422,
          at: 'body.sort_by.0.direction',
        },
      ],
    }
  }),

  operation('POST', '/calls/usage', 'read', async (world) => {
    const root = await stored(world)
    // Of its own: a parent that repeats the usage below it is not added.
    const own = { usage: { m: { prompt_tokens: 1, completion_tokens: 2, requests: 1 } } }
    await stored(world, { trace_id: root.trace_id, parent_id: root.id, summary: own })
    const body = { project_id: world.project, call_ids: [root.id] }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer).call_usage).toMatchObject({ [String(root.id)]: { m: { total_tokens: 10 } } }),
      invalid: [{ why: 'the trace has more', body: { ...body, limit: 1 }, status: 400 }],
    }
  }),

  operation('POST', '/trace/usage', 'read', async (world) => {
    const { id, trace_id } = await stored(world)
    const body = { project_id: world.project, filter: { trace_ids: [trace_id] } }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer).call_usage).toMatchObject({ [String(id)]: { m: { prompt_tokens: 3 } } }),
      invalid: [{ why: 'no expression', body: { ...body, query: {} }, status: 422, at: 'body.query.$expr' }],
    }
  }),

  operation('POST', '/v2/{entity}/{project}/calls/complete', 'write', (world) => {
    const batch = [fresh(world), fresh(world)]
    return {
      valid: { body: { batch } },
      effect: async () =>
        expect((await world.api.calls(world.project)).map(({ id }) => id).sort()).toEqual(
          batch.map(({ id }) => id).sort(),
        ),
      invalid: [
        {
          why: 'one has no time',
          body: { batch: [batch[0], { ...batch[1], started_at: 'today' }] },
          status: 422,
          at: 'body.batch.1.started_at',
        },
      ],
    }
  }),

  operation('POST', '/v2/{entity}/{project}/call/start', 'write', (world) => {
    const { start } = halves(fresh(world))
    return {
      valid: { body: { start } },
      effect: async () => expect(await read(world, start.id)).toMatchObject({ ended_at: null }),
      invalid: [
        {
          why: 'inputs are a list',
          body: { start: { ...start, inputs: [] } },
          status: 422,
          at: 'body.start.inputs',
        },
      ],
    }
  }),

  operation('POST', '/v2/{entity}/{project}/call/end', 'write', async (world) => {
    const { start, end } = halves(fresh(world))
    await world.api.ok(v2(world.project, 'call/start'), { start })
    return {
      valid: { body: { end } },
      effect: async () => expect(await read(world, start.id)).toMatchObject({ output: world.secret }),
      invalid: [{ why: 'nothing was started', body: { end: { ...end, id: uuid7() } }, status: 404 }],
    }
  }),

  operation('POST', '/threads/stream_query', 'read', async (world) => {
    const id = uuid7()
    await stored(world, { id, turn_id: id, thread_id: world.secret })
    const body = { project_id: world.project }
    return {
      valid: { body },
      effect: ({ text }) =>
        expect(jsonLines(text)).toMatchObject([
          { thread_id: world.secret, turn_count: 1, first_turn_id: id },
        ]),
      invalid: [
        {
          why: 'no such field',
          body: { ...body, sort_by: [{ field: 'nope', direction: 'asc' }] },
          status: 400,
        },
        { why: 'the project is a number', body: { project_id: 7 }, status: 422, at: 'body.project_id' },
      ],
    }
  }),
]

/** Threads and end users with what their calls add up to. */
export const totals: readonly Operation[] = [
  operation('POST', '/threads/query', 'read', async (world) => {
    const id = uuid7()
    await stored(world, { id, turn_id: id, thread_id: world.secret, attributes: { user_id: world.secret } })
    const body = { project_id: world.project }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          threads: [{ thread_id: world.secret, turn_count: 1, end_user: world.secret }],
          total_count: 1,
        }),
      invalid: [
        {
          why: 'no such field',
          body: { ...body, sort_by: [{ field: 'nope' }] },
          status: 422,
          at: 'body.sort_by.0.field',
        },
        { why: 'the project is a number', body: { project_id: 7 }, status: 422, at: 'body.project_id' },
      ],
    }
  }),

  operation('POST', '/end_users/query', 'read', async (world) => {
    await stored(world, { id: uuid7(), attributes: { user_id: world.secret } })
    const body = { project_id: world.project }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          end_users: [{ end_user: world.secret, call_count: 1 }],
          total_count: 1,
        }),
      invalid: [
        { why: 'a limit below 0', body: { ...body, limit: -1 }, status: 422, at: 'body.limit' },
        { why: 'no project', body: {}, status: 422, at: 'body.project_id' },
      ],
    }
  }),
]
