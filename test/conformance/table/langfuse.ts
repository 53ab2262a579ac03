/** Operations of Langfuse's SDKs, beyond the contract's list. The user name of each request is its project. */
import { expect } from 'vitest'
import { json, operation, type World } from './operation.js'

const PUBLIC = '/api/public'

/** A score of a session, which has the secret for its comment. */
const score = ({ secret }: World) => ({ name: 'liked', value: 1, sessionId: 's', comment: secret })

/** The same, stored; returns its id. */
async function scored(world: World): Promise<string> {
  const api = world.api.asUser(world.project)
  return String((await api.ok(`${PUBLIC}/scores`, score(world))).id)
}

const listed = async ({ api, project }: World) =>
  json<{ data: object[] }>(await api.asUser(project).get(`${PUBLIC}/v2/scores`)).data

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
        },
      },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          data: [{ id, comment: world.secret }],
          meta: { totalItems: 1 },
        }),
      invalid: [
        { why: 'page 0', query: { page: '0' }, status: 422, at: 'query.page' },
        { why: 'a filter that is not served', query: { traceTags: 'x' }, status: 422, at: 'query.traceTags' },
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
]
