/** Operations on feedback. */
import { expect } from 'vitest'
import { stored } from './calls.js'
import { json, operation, type World } from './operation.js'

const NOTE = 'platform.note.1'

/** A note on a stored call, with the secret in it, as `/feedback/create` takes it. */
async function note(world: World): Promise<Record<string, unknown>> {
  const { id } = await stored(world)
  return {
    project_id: world.project,
    weave_ref: `weave:///${world.project}/call/${id}`,
    feedback_type: NOTE,
    payload: { note: world.secret },
  }
}

/** The same, stored; returns its id. */
async function given(world: World): Promise<string> {
  return String((await world.api.ok('/feedback/create', await note(world))).id)
}

/** A scorer's opinion, stored: a number to count. */
async function scored(world: World): Promise<void> {
  const opinion = { feedback_type: 'opinion', payload: { output: { [world.secret]: 0.5 } } }
  await world.api.ok('/feedback/create', { ...(await note(world)), ...opinion })
}

async function listed({ api, project }: World): Promise<unknown> {
  return (await api.ok('/feedback/query', { project_id: project })).result
}

const equal = (field: string, value: unknown) => ({
  $expr: { $eq: [{ $getField: field }, { $literal: value }] },
})
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

export const feedback = [
  operation('POST', '/feedback/create', 'write', async (world) => {
    const body = await note(world)
    return {
      valid: { body },
      effect: async (answer) =>
        expect(await listed(world)).toMatchObject([{ id: json(answer).id, payload: { note: world.secret } }]),
      invalid: [
        { why: 'a note without a note', body: { ...body, payload: {} }, status: 400 },
        {
          why: 'no type',
          body: { ...body, feedback_type: undefined },
          status: 422,
          at: 'body.feedback_type',
        },
        {
          why: 'two emojis',
          body: { ...body, feedback_type: 'platform.reaction.1', payload: { emoji: '👍👍' } },
          status: 400,
        },
        {
          why: 'a payload of more than 1 MiB',
          body: { ...body, feedback_type: 'x', payload: { a: 'x'.repeat(1 << 20) } },
          status: 400,
        },
      ],
    }
  }),

  operation('POST', '/feedback/batch/create', 'write', async (world) => {
    const batch = [await note(world), { ...(await note(world)), feedback_type: 'own', payload: { n: 1 } }]
    return {
      valid: { body: { batch } },
      effect: async (answer) => {
        const ids = json<{ res: { id: string }[] }>(answer).res.map(({ id }) => id)
        expect(await listed(world)).toMatchObject(ids.map((id) => ({ id })))
      },
      invalid: [
        {
          why: 'one of them is no note',
          body: { batch: [batch[0], { ...batch[1], feedback_type: NOTE }] },
          status: 400,
        },
        {
          why: 'one has no ref',
          body: { batch: [batch[0], { ...batch[1], weave_ref: 5 }] },
          status: 422,
          at: 'body.batch.1.weave_ref',
        },
      ],
    }
  }),

  operation('POST', '/feedback/query', 'read', async (world) => {
    const id = await given(world)
    const body = { project_id: world.project, query: equal('payload.note', world.secret) }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          result: [{ id, payload: { note: world.secret } }],
          total_count: 1,
        }),
      invalid: [
        { why: 'an unknown field', body: { ...body, query: equal('nope', 1) }, status: 422 },
        {
          why: 'more than $expr',
          body: { ...body, query: { ...body.query, x: 1 } },
          status: 422,
          at: 'body.query',
        },
      ],
    }
  }),

  operation('POST', '/feedback/purge', 'write', async (world) => {
    const id = await given(world)
    const body = { project_id: world.project, query: equal('id', id) }
    return {
      valid: { body },
      effect: async () => expect(await listed(world)).toEqual([]),
      invalid: [
        { why: 'not by id', body: { ...body, query: equal('feedback_type', NOTE) }, status: 400 },
        { why: 'no query', body: { ...body, query: undefined }, status: 422, at: 'body.query' },
      ],
    }
  }),

  operation('POST', '/feedback/replace', 'write', async (world) => {
    const body = {
      ...(await note(world)),
      feedback_id: await given(world),
      payload: { note: `new ${world.secret}` },
    }
    return {
      valid: { body },
      effect: async (answer) =>
        expect(await listed(world)).toMatchObject([
          { id: json(answer).id, payload: { note: `new ${world.secret}` } },
        ]),
      invalid: [
        { why: 'no note to put there', body: { ...body, payload: { note: '' } }, status: 400 },
        {
          why: 'instead of what',
          body: { ...body, feedback_id: undefined },
          status: 422,
          at: 'body.feedback_id',
        },
      ],
    }
  }),

  operation('POST', '/feedback/stats', 'read', async (world) => {
    await scored(world)
    const body = {
      project_id: world.project,
      start: hoursFromNow(-1),
      end: hoursFromNow(1),
      metrics: [{ json_path: `output.${world.secret}`, value_type: 'numeric', aggregations: ['avg'] }],
    }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer).window_stats).toMatchObject({ [`output_${world.secret}`]: { avg: 0.5 } }),
      invalid: [
        { why: 'no start', body: { ...body, start: undefined }, status: 422, at: 'body.start' },
        { why: '32 days', body: { ...body, end: hoursFromNow(32 * 24) }, status: 422, at: 'body.end' },
      ],
    }
  }),

  operation('POST', '/feedback/payload_schema', 'read', async (world) => {
    await scored(world)
    const body = { project_id: world.project, start: hoursFromNow(-1) }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer).paths).toEqual([{ json_path: `output.${world.secret}`, value_type: 'numeric' }]),
      invalid: [
        { why: 'the start is no time', body: { ...body, start: 'today' }, status: 422, at: 'body.start' },
      ],
    }
  }),

  operation('POST', '/feedback/aggregate', 'read', async (world) => {
    const agent = { feedback_type: 'platform.agent_user_feedback', scorer_tags: [world.secret] }
    await world.api.ok('/feedback/create', { ...(await note(world)), ...agent })
    const body = {
      project_id: world.project,
      after_ms: Date.now() - 3_600_000,
      before_ms: Date.now() + 3_600_000,
    }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer).buckets).toMatchObject([{ total_count: 1, tag_counts: { [world.secret]: 1 } }]),
      invalid: [
        { why: 'no end', body: { ...body, before_ms: undefined }, status: 422, at: 'body.before_ms' },
        {
          why: 'grouped by nothing known',
          body: { ...body, group_by: ['x'] },
          status: 422,
          at: 'body.group_by.0',
        },
      ],
    }
  }),
]
