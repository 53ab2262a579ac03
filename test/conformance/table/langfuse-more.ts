/** Operations on score configs and comments of Langfuse's SDKs. */
import { expect } from 'vitest'
import { json, operation, type World } from './operation.js'

const PUBLIC = '/api/public'

/** A config that has the secret for its description. */
const config = ({ secret }: World) => ({
  ...{ name: 'tone', dataType: 'CATEGORICAL', description: secret },
  categories: [
    { label: 'warm', value: 2 },
    { label: 'cold', value: 1 },
  ],
})

async function configured(world: World): Promise<string> {
  const api = world.api.asUser(world.project)
  return String((await api.ok(`${PUBLIC}/score-configs`, config(world))).id)
}

/** A call with its session, both named by the secret; a comment on the session has the secret, too. */
async function comment({ api, project, secret }: World) {
  const call = { project_id: project, op_name: 'f', started_at: '2026-01-01T00:00:00Z', thread_id: secret }
  await api.ok('/call/start', { start: { ...call, attributes: {}, inputs: {} } })
  return { projectId: project, objectType: 'SESSION', objectId: secret, content: secret }
}

async function commented(world: World): Promise<string> {
  const api = world.api.asUser(world.project)
  return String((await api.ok(`${PUBLIC}/comments`, await comment(world))).id)
}

export const langfuseMore = [
  operation('POST', `${PUBLIC}/score-configs`, 'write', (world) => {
    const body = config(world)
    return {
      valid: { body },
      effect: async (answer) => {
        expect(json(answer)).toMatchObject({ ...body, isArchived: false })
        const api = world.api.asUser(world.project)
        const scores = [
          { name: 'tone', value: 'warm' },
          { name: 'tone', value: 'odd' },
          { name: 'other', value: 'warm' },
          { name: 'tone', value: 2, dataType: 'NUMERIC' },
        ].map((score) => ({ ...score, sessionId: 's', configId: json(answer).id }))
        const taken = await api.send('POST', `${PUBLIC}/scores`, scores)
        expect([taken.status, json(taken)]).toMatchObject([207, { accepted: 1, rejected: 3 }])
        expect(json(await api.get(`${PUBLIC}/v2/scores`)).data).toMatchObject([
          { dataType: 'CATEGORICAL', stringValue: 'warm', value: 2 },
        ])
      },
      invalid: [
        {
          why: 'categories with one value',
          body: {
            ...body,
            categories: [
              { label: 'a', value: 1 },
              { label: 'b', value: 1 },
            ],
          },
          status: 400,
        },
        { why: 'none', body: { ...body, categories: null }, status: 400 },
        { why: 'of a number', body: { ...body, dataType: 'NUMERIC' }, status: 400 },
        {
          why: 'an empty range',
          body: { name: 'n', dataType: 'NUMERIC', minValue: 1, maxValue: 0 },
          status: 400,
        },
        { why: 'a long name', body: { ...body, name: 'x'.repeat(36) }, status: 422, at: 'body.name' },
      ],
    }
  }),
  operation('GET', `${PUBLIC}/score-configs`, 'read', async (world) => {
    const id = await configured(world)
    return {
      valid: { query: { limit: '10' } },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({ data: [{ id, ...config(world) }], meta: { totalItems: 1 } }),
      invalid: [{ why: 'page 0', query: { page: '0' }, status: 422, at: 'query.page' }],
    }
  }),
  operation('GET', `${PUBLIC}/score-configs/{config_id}`, 'read', async (world) => {
    const config_id = await configured(world)
    return {
      valid: { params: { config_id } },
      effect: (answer) => expect(json(answer)).toMatchObject({ id: config_id, ...config(world) }),
      invalid: [{ why: 'an unknown id', params: { config_id: 'nope' }, status: 404 }],
    }
  }),
  operation('PATCH', `${PUBLIC}/score-configs/{config_id}`, 'write', async (world) => {
    const config_id = await configured(world)
    const sent = { params: { config_id }, body: { isArchived: true } }
    return {
      valid: sent,
      effect: async (answer) => {
        expect(json(answer)).toMatchObject({ ...config(world), isArchived: true })
        const score = { name: 'tone', value: 'warm', sessionId: 's', configId: config_id }
        const api = world.api.asUser(world.project)
        expect((await api.send('POST', `${PUBLIC}/scores`, score)).status).toBe(400)
        const again = await api.send('PATCH', `${PUBLIC}/score-configs/${config_id}`, { isArchived: false })
        expect(json(again).isArchived).toBe(false)
        expect((await api.send('POST', `${PUBLIC}/scores`, score)).status).toBe(200)
      },
      invalid: [
        { why: 'an unknown id', ...sent, params: { config_id: 'nope' }, status: 404 },
        { why: 'a range of categories', ...sent, body: { minValue: 1 }, status: 400 },
        { why: 'a text', ...sent, body: { isArchived: 'x' }, status: 422, at: 'body.isArchived' },
      ],
    }
  }),
  operation('POST', `${PUBLIC}/comments`, 'write', async (world) => {
    const body = await comment(world)
    return {
      valid: { body },
      effect: async (answer) => {
        const { data } = json<{ data: object[] }>(
          await world.api.asUser(world.project).get(`${PUBLIC}/comments`),
        )
        const { id } = json(answer)
        expect(data).toMatchObject([{ id, content: world.secret, objectType: 'SESSION' }])
      },
      invalid: [
        { why: 'another project', body: { ...body, projectId: 'other/one' }, status: 400 },
        { why: 'no such trace', body: { ...body, objectType: 'TRACE' }, status: 404 },
        { why: 'no such prompt', body: { ...body, objectType: 'PROMPT' }, status: 404 },
        { why: 'nothing', body: { ...body, content: '' }, status: 422, at: 'body.content' },
      ],
    }
  }),
  operation('GET', `${PUBLIC}/comments`, 'read', async (world) => {
    const id = await commented(world)
    return {
      valid: { query: { objectType: 'session', objectId: world.secret } },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          data: [{ id, content: world.secret, objectId: world.secret }],
          meta: { totalItems: 1 },
        }),
      invalid: [
        { why: 'an id of no type', query: { objectId: 'x' }, status: 400 },
        { why: 'another type', query: { objectType: 'SCORE' }, status: 422, at: 'query.objectType' },
      ],
    }
  }),
  operation('GET', `${PUBLIC}/comments/{comment_id}`, 'read', async (world) => {
    const comment_id = await commented(world)
    return {
      valid: { params: { comment_id } },
      effect: (answer) => expect(json(answer)).toMatchObject({ id: comment_id, content: world.secret }),
      invalid: [{ why: 'an unknown id', params: { comment_id: 'nope' }, status: 404 }],
    }
  }),
  ...(['metrics', 'v2/metrics'] as const).map((path) =>
    operation('GET', `${PUBLIC}/${path}`, 'read', async (world) => {
      await comment(world)
      const query = {
        ...{ view: 'observations', metrics: [{ measure: 'count', aggregation: 'count' }] },
        ...{ fromTimestamp: '2025-12-31T00:00:00Z', toTimestamp: '2026-01-02T00:00:00Z' },
        filters: [{ column: 'sessionId', operator: '=', value: world.secret, type: 'string' }],
        ...{ dimensions: [{ field: 'name' }], timeDimension: { granularity: 'day' } },
        orderBy: [{ field: 'count_count', direction: 'desc' }],
      }
      const text = (more: object) => ({ query: JSON.stringify({ ...query, ...more }) })
      return {
        valid: { query: text({}) },
        effect: (answer) =>
          expect(json(answer).data).toEqual([
            { time_dimension: '2026-01-01T00:00:00.000Z', name: 'f', count_count: 1 },
          ]),
        invalid: [
          { why: 'no JSON', query: { query: 'x' }, status: 400 },
          { why: 'another view', query: text({ view: 'x' }), status: 400 },
          {
            why: 'another measure',
            query: text({ metrics: [{ measure: 'x', aggregation: 'sum' }] }),
            status: 400,
          },
          { why: 'no query', query: {}, status: 422, at: 'query.query' },
        ],
      }
    }),
  ),
  operation('GET', `${PUBLIC}/metrics/daily`, 'read', async (world) => {
    await comment(world)
    return {
      valid: { query: { fromTimestamp: '2025-12-31T00:00:00Z', environment: 'default', traceName: 'f' } },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          data: [{ date: '2026-01-01', countTraces: 1, countObservations: 1, totalCost: 0 }],
          meta: { totalItems: 1 },
        }),
      invalid: [{ why: 'no time', query: { fromTimestamp: 'x' }, status: 422, at: 'query.fromTimestamp' }],
    }
  }),
]
