/** What an evaluation is made of: ops, datasets, scorers, models and evaluations, each with the same four operations. */
import { expect } from 'vitest'
import { jsonLines } from '../../support/api.js'
import { v2 } from '../../support/calls.js'
import { json, type Operation, operation, type Refused, type World } from './operation.js'

interface Kind {
  path: string
  /** a valid body, with the secret in it */
  body: (world: World) => object | Promise<object>
  /** what a read must then show */
  shows: (world: World) => object
  wrong: Omit<Refused, 'body'> & { with: object }
}

type Version = { object_id: string; digest: string }

async function created(world: World, { path, body }: Kind): Promise<Version> {
  const { object_id, digest } = await world.api.ok(v2(world.project, path), await body(world))
  return { object_id: String(object_id), digest: String(digest) }
}

async function read({ api, project }: World, { path }: Kind, { object_id, digest }: Version) {
  return api.get(v2(project, `${path}/${object_id}/versions/${digest}`))
}

function resource(kind: Kind): Operation[] {
  const base = `/v2/{entity}/{project}/${kind.path}`
  return [
    operation('POST', base, 'write', async (world) => {
      const body = await kind.body(world)
      const { with: change, ...wrong } = kind.wrong
      return {
        valid: { body },
        effect: async (answer) =>
          expect(
            json(await read(world, kind, json<Version & Record<string, unknown>>(answer))),
          ).toMatchObject(kind.shows(world)),
        invalid: [{ ...wrong, body: { ...body, ...change } }],
      }
    }),

    operation('GET', base, 'read', async (world) => {
      const version = await created(world, kind)
      return {
        valid: { query: { limit: '10' } },
        effect: ({ text }) =>
          expect(jsonLines(text).filter(({ object_id }) => object_id === version.object_id)).toMatchObject([
            { ...version, ...kind.shows(world) },
          ]),
        invalid: [{ why: 'the limit is a text', query: { limit: 'all' }, status: 422, at: 'query.limit' }],
      }
    }),

    operation('GET', `${base}/{object_id}/versions/{digest}`, 'read', async (world) => {
      const params = { ...(await created(world, kind)) }
      return {
        valid: { params },
        effect: (answer) => expect(json(answer)).toMatchObject({ ...params, ...kind.shows(world) }),
        invalid: [{ why: 'no such version', params: { ...params, digest: 'nope' }, status: 404 }],
      }
    }),

    operation('DELETE', `${base}/{object_id}`, 'write', async (world) => {
      const version = await created(world, kind)
      const params = { object_id: version.object_id }
      return {
        valid: { params, query: { digests: version.digest } },
        effect: async (answer) => {
          expect(json(answer)).toEqual({ num_deleted: 1 })
          expect((await read(world, kind, version)).status).toBe(404)
        },
        invalid: [
          { why: 'no such object', params: { object_id: 'nope' }, status: 404 },
          { why: 'no such version', params, query: { digests: 'nope' }, status: 404 },
        ],
      }
    }),
  ]
}

const noName = { why: 'the name is a number', with: { name: 5 }, status: 422, at: 'body.name' }

const datasets: Kind = {
  path: 'datasets',
  body: ({ secret }) => ({ name: 'dataset-of-questions', description: secret, rows: [{ q: secret }] }),
  shows: ({ secret }) => ({
    name: 'dataset-of-questions',
    description: secret,
    rows: expect.stringContaining('/table/'),
  }),
  wrong: { why: 'a row is a number', with: { rows: [{}, 5] }, status: 422, at: 'body.rows.1' },
}

/** The ref of a dataset in the world. */
export async function dataset(world: World): Promise<string> {
  const { object_id, digest } = await created(world, datasets)
  return `weave:///${world.project}/object/${object_id}:${digest}`
}

export const evaluationObjects = [
  ...resource({
    path: 'ops',
    body: ({ secret }) => ({ name: 'answer', source_code: `def answer(): return "${secret}"` }),
    shows: ({ secret }) => ({ object_id: 'answer', code: expect.stringContaining(secret) }),
    wrong: { why: 'the source is a number', with: { source_code: 5 }, status: 422, at: 'body.source_code' },
  }),
  ...resource(datasets),
  ...resource({
    path: 'scorers',
    body: ({ secret }) => ({ name: 'right', description: secret, op_source_code: 'def score(): ...' }),
    shows: ({ secret }) => ({ name: 'right', description: secret }),
    wrong: noName,
  }),
  ...resource({
    path: 'models',
    body: ({ secret }) => ({ name: 'gpt', source_code: `# ${secret}`, attributes: { temperature: 0.5 } }),
    shows: ({ secret }) => ({ name: 'gpt', source_code: `# ${secret}`, attributes: { temperature: 0.5 } }),
    wrong: noName,
  }),
  ...resource({
    path: 'evaluations',
    body: async (world) => ({
      name: 'exam',
      description: world.secret,
      dataset: await dataset(world),
      scorers: [],
      trials: 2,
    }),
    shows: ({ secret }) => ({ name: 'exam', description: secret, trials: 2, scorers: [] }),
    wrong: noName,
  }),
]
