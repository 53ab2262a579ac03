/** Operations of Langfuse's SDKs, beyond the contract's list. The user name of each request is its project. */
import { expect } from 'vitest'
import { hex } from '../../support/ids.js'
import { exportRequest } from '../../support/otlp.js'
import { json, operation, type Refused, type World } from './operation.js'

const PUBLIC = '/api/public'

/** A score of a session, which has the secret for its comment. */
const score = ({ secret }: World) => ({
  ...{ name: 'liked', value: 1, sessionId: 's', comment: secret, metadata: { team: secret } },
})

/** The same, stored; returns its id. */
async function scored(world: World): Promise<string> {
  const api = world.api.asUser(world.project)
  return String((await api.ok(`${PUBLIC}/scores`, score(world))).id)
}

/** A prompt that has the secret for its name, in its text and in its config. */
const prompt = ({ secret }: World) => ({
  ...{ name: secret, prompt: `say {{word}} ${secret}`, config: { secret } },
  ...{ labels: ['production'], tags: ['t'] },
})

const unknownColumn = JSON.stringify([{ type: 'string', column: 'nope', operator: '=', value: 'x' }])

/** Conditions, and how many such prompts fulfil them. */
const CONDITIONS: [object, number][] = [
  [{ type: 'arrayOptions', column: 'labels', operator: 'any of', value: ['staging', 'production'] }, 1],
  [{ type: 'arrayOptions', column: 'tags', operator: 'none of', value: ['t'] }, 0],
  [{ type: 'number', column: 'version', operator: '>', value: 1 }, 0],
  [{ type: 'datetime', column: 'createdAt', operator: '<', value: '2200-01-01T00:00:00Z' }, 1],
  [{ type: 'stringOptions', column: 'type', operator: 'none of', value: ['chat'] }, 1],
  [{ type: 'stringObject', column: 'config', key: 'secret', operator: 'is set', value: '' }, 1],
  [{ type: 'stringObject', column: 'config', key: 'other', operator: 'contains', value: '' }, 0],
]

/** The same, published; returns its name. */
async function published(world: World): Promise<string> {
  const api = world.api.asUser(world.project)
  return String((await api.ok(`${PUBLIC}/v2/prompts`, prompt(world))).name)
}

const prompts = async ({ api, project }: World) =>
  json<{ data: object[] }>(await api.asUser(project).get(`${PUBLIC}/v2/prompts`)).data

const listed = async ({ api, project }: World) =>
  json<{ data: object[] }>(await api.asUser(project).get(`${PUBLIC}/v2/scores`)).data

interface Span {
  traceId: string
  spanId: string
  session: string
}

/** A span whose input and session have the secret, stored. */
async function sent({ api, project, secret }: World): Promise<Span> {
  const [traceId, spanId, session] = [hex(16), hex(8), `session-${secret}`]
  const attributes = { 'session.id': session, 'user.id': 'ann', 'langfuse.observation.input': secret }
  const body = exportRequest({ spans: [{ traceId, spanId, name: 'turn', attributes }] })
  const headers = { 'content-type': 'application/x-protobuf', project_id: project }
  await api.send('POST', '/otel/v1/traces', Buffer.from(body), headers)
  return { traceId, spanId, session }
}

const gone = async ({ api, project }: World, trace: string) =>
  expect((await api.asUser(project).get(`${PUBLIC}/traces/${trace}`)).status).toBe(404)

/** A filter by a time that is far away. */
const conditions = (column: string, operator: string) =>
  JSON.stringify([{ type: 'datetime', column, operator, value: '2200-01-01T00:00:00Z' }])

/** A list of what was sent. */
const reading = (
  path: string,
  query: Record<string, string>,
  expected: (span: Span) => object,
  wrong: Refused,
) =>
  operation('GET', `${PUBLIC}/${path}`, 'read', async (world) => {
    const span = await sent(world)
    return {
      valid: { query },
      effect: (answer) => expect(json(answer).data).toContainEqual(expect.objectContaining(expected(span))),
      invalid: [wrong],
    }
  })

/** One of what was sent. */
const readingOne = (path: string, id: (span: Span) => string, param: string) =>
  operation('GET', `${PUBLIC}/${path}`, 'read', async (world) => {
    const span = await sent(world)
    return {
      valid: { params: { [param]: id(span) } },
      effect: (answer) => expect(json(answer).id).toBe(id(span)),
      invalid: [{ why: 'an unknown id', params: { [param]: 'nope' }, status: 404 }],
    }
  })

export const langfuse = [
  operation('GET', '/api/public/health', 'public', () => ({
    valid: {},
    effect: (answer) => expect(json(answer).status).toBe('OK'),
    invalid: [{ why: 'another method', method: 'DELETE', status: 405 }],
  })),
  operation('GET', '/api/public/projects', 'read', ({ project }) => ({
    valid: {},
    effect: (answer) => expect(json(answer)).toMatchObject({ data: [{ id: project }] }),
    invalid: [{ why: 'another method', method: 'DELETE', status: 405 }],
  })),
  operation('POST', `${PUBLIC}/scores`, 'write', (world) => {
    const body = score(world)
    return {
      valid: { body },
      effect: async (answer) =>
        expect(await listed(world)).toMatchObject([{ id: json(answer).id, comment: world.secret }]),
      invalid: [
        { why: 'about nothing', body: { ...body, sessionId: undefined }, status: 400 },
        { why: 'about two things', body: { ...body, traceId: 't' }, status: 400 },
        { why: 'a boolean of 5', body: { ...body, value: 5, dataType: 'BOOLEAN' }, status: 400 },
        { why: 'no name', body: { ...body, name: undefined }, status: 422, at: 'body' },
      ],
    }
  }),
  operation('GET', `${PUBLIC}/v2/scores`, 'read', async (world) => {
    const id = await scored(world)
    return {
      valid: {
        query: {
          name: 'liked',
          dataType: 'NUMERIC',
          sessionId: 's',
          scoreIds: id,
          operator: '>=',
          value: '1',
          filter: JSON.stringify([
            { type: 'string', column: 'name', operator: 'starts with', value: 'lik' },
            { type: 'number', column: 'value', operator: '<', value: 2 },
            { type: 'stringObject', column: 'metadata', key: 'team', operator: 'is set', value: '' },
          ]),
        },
      },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          data: [{ id, comment: world.secret }],
          meta: { totalItems: 1 },
        }),
      invalid: [
        { why: 'page 0', query: { page: '0' }, status: 422, at: 'query.page' },
        { why: 'a filter that is no JSON', query: { filter: 'x' }, status: 422, at: 'query.filter' },
        { why: 'a filter by no column', query: { filter: unknownColumn }, status: 400 },
      ],
    }
  }),
  operation('GET', `${PUBLIC}/v2/scores/{score_id}`, 'read', async (world) => {
    const score_id = await scored(world)
    return {
      valid: { params: { score_id } },
      effect: (answer) => expect(json(answer)).toMatchObject({ id: score_id, comment: world.secret }),
      invalid: [{ why: 'an unknown id', params: { score_id: 'nope' }, status: 404 }],
    }
  }),
  operation('GET', `${PUBLIC}/v3/scores`, 'read', async (world) => {
    const id = await scored(world)
    return {
      valid: { query: { id, fields: 'details,subject,annotation', dataType: 'numeric', value: '1' } },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          data: [{ id, value: 1, comment: world.secret, subject: { kind: 'session', id: 's' } }],
          meta: { limit: 50 },
        }),
      invalid: [
        { why: 'an unknown group of fields', query: { fields: 'all' }, status: 400 },
        { why: 'no cursor of ours', query: { cursor: 'x' }, status: 400 },
      ],
    }
  }),
  operation('DELETE', `${PUBLIC}/scores/{score_id}`, 'write', async (world) => {
    const score_id = await scored(world)
    return {
      valid: { params: { score_id } },
      effect: async () => expect(await listed(world)).toEqual([]),
      invalid: [
        {
          why: 'nothing of that name',
          params: { score_id: 'x'.repeat(2000) },
          status: 422,
          at: 'path.score_id',
        },
      ],
    }
  }),
  operation('POST', `${PUBLIC}/v2/prompts`, 'write', (world) => {
    const body = prompt(world)
    return {
      valid: { body },
      effect: async (answer) => {
        expect(json(answer)).toMatchObject({
          version: 1,
          prompt: body.prompt,
          labels: ['latest', 'production'],
        })
        expect(await prompts(world)).toMatchObject([{ name: body.name, tags: ['t'] }])
      },
      invalid: [
        { why: 'a chat of a text', body: { ...body, type: 'chat' }, status: 400 },
        {
          why: 'a part that is not there',
          body: { ...body, prompt: '@@@langfusePrompt:name=x|version=1@@@' },
          status: 400,
        },
        { why: 'a label with a slash', body: { ...body, labels: ['a/b'] }, status: 400 },
        { why: 'no name', body: { ...body, name: undefined }, status: 422, at: 'body.name' },
      ],
    }
  }),
  operation('GET', `${PUBLIC}/v2/prompts`, 'read', async (world) => {
    const name = await published(world)
    return {
      valid: { query: { name, label: 'production', tag: 't', fromUpdatedAt: '2020-01-01T00:00:00Z' } },
      effect: async (answer) => {
        const expected = {
          data: [{ name, type: 'text', versions: [1], lastConfig: { secret: world.secret } }],
          meta: { totalItems: 1 },
        }
        expect(json(answer)).toMatchObject(expected)
        const api = world.api.asUser(world.project)
        // It stands for what else the query says.
        for (const [condition, count] of CONDITIONS) {
          const filter = JSON.stringify([
            { type: 'string', column: 'name', operator: 'contains', value: name.toUpperCase() },
            condition,
          ])
          const query = new URLSearchParams({ filter, name: 'another' })
          const found = json<{ data: object[] }>(await api.get(`${PUBLIC}/v2/prompts?${query}`)).data
          expect([condition, found.length]).toEqual([condition, count])
        }
      },
      invalid: [
        { why: 'a filter that is no JSON', query: { filter: 'x' }, status: 422, at: 'query.filter' },
        { why: 'a filter by no column', query: { filter: unknownColumn }, status: 400 },
        {
          why: 'a filter by no operator',
          query: { filter: JSON.stringify([{ column: 'tags', operator: '=', value: 't' }]) },
          status: 400,
        },
      ],
    }
  }),
  operation('GET', `${PUBLIC}/v2/prompts/{prompt_name}`, 'read', async (world) => {
    const prompt_name = await published(world)
    return {
      valid: { params: { prompt_name }, query: { version: '1', resolve: 'false' } },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({ name: prompt_name, prompt: prompt(world).prompt }),
      invalid: [
        { why: 'an unknown version', params: { prompt_name }, query: { version: '9' }, status: 404 },
        {
          why: 'version 0',
          params: { prompt_name },
          query: { version: '0' },
          status: 422,
          at: 'query.version',
        },
      ],
    }
  }),
  operation('PATCH', `${PUBLIC}/v2/prompts/{prompt_name}/versions/{version}`, 'write', async (world) => {
    const params = { prompt_name: await published(world), version: '1' }
    return {
      valid: { params, body: { newLabels: ['b'] } },
      effect: (answer) => expect(json(answer)).toMatchObject({ labels: ['b', 'latest', 'production'] }),
      invalid: [
        {
          why: 'an unknown version',
          params: { ...params, version: '7' },
          body: { newLabels: [] },
          status: 404,
        },
        { why: 'no labels', params, body: {}, status: 422, at: 'body.newLabels' },
      ],
    }
  }),
  operation('DELETE', `${PUBLIC}/v2/prompts/{prompt_name}`, 'write', async (world) => {
    const prompt_name = await published(world)
    return {
      valid: { params: { prompt_name } },
      effect: async () => expect(await prompts(world)).toEqual([]),
      invalid: [{ why: 'an unknown label', params: { prompt_name }, query: { label: 'x' }, status: 404 }],
    }
  }),
  reading(
    'traces',
    { userId: 'ann', limit: '5', orderBy: 'timestamp.asc', filter: conditions('timestamp', '<') },
    ({ traceId }) => ({ id: traceId }),
    {
      why: 'sorted by a color',
      query: { orderBy: 'color.asc' },
      status: 422,
      at: 'query.orderBy',
    },
  ),
  reading(
    'observations',
    { type: 'SPAN', level: 'DEFAULT', environment: 'default', filter: conditions('startTime', '<') },
    ({ spanId }) => ({ id: spanId }),
    {
      why: 'a condition of no column',
      query: { filter: conditions('color', '=') },
      status: 400,
    },
  ),
  reading(
    'v2/observations',
    { fields: 'core,io', isRootObservation: 'true' },
    ({ spanId }) => ({ id: spanId }),
    {
      why: 'no cursor of ours',
      query: { cursor: 'x' },
      status: 400,
    },
  ),
  reading(
    'sessions',
    { fromTimestamp: '2020-01-01T00:00:00Z', environment: 'default' },
    ({ session }) => ({ id: session }),
    {
      why: 'page 0',
      query: { page: '0' },
      status: 422,
      at: 'query.page',
    },
  ),
  operation('DELETE', `${PUBLIC}/traces/{trace_id}`, 'write', async (world) => {
    const { traceId } = await sent(world)
    const params = { trace_id: traceId }
    return {
      valid: { params },
      effect: () => gone(world, traceId),
      invalid: [{ why: 'no key', params, anonymous: true, status: 401 }],
    }
  }),
  operation('DELETE', `${PUBLIC}/traces`, 'write', async (world) => {
    const { traceId } = await sent(world)
    return {
      valid: { body: { traceIds: [traceId, 'nope'] } },
      effect: () => gone(world, traceId),
      invalid: [{ why: 'no ids', body: {}, status: 422, at: 'body.traceIds' }],
    }
  }),
  readingOne('traces/{trace_id}', ({ traceId }) => traceId, 'trace_id'),
  readingOne('observations/{observation_id}', ({ spanId }) => spanId, 'observation_id'),
  readingOne('sessions/{session_id}', ({ session }) => session, 'session_id'),
]
