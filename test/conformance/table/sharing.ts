/** Links to one thing of a project, what people without a key see at them, and mentions in notes. */
import { expect } from 'vitest'
import { jsonLines, type Row } from '../../support/api.js'
import { v2 } from '../../support/calls.js'
import { stored } from './calls.js'
import { json, operation, type World } from './operation.js'

async function shared({ api, project }: World, kind: string, target: unknown): Promise<Row> {
  return api.ok('/shares/create', { project_id: project, kind, target })
}

/** A link to a trace with a file, and what the call of it is called. */
async function trace(world: World) {
  const { api, project, secret } = world
  const form = new FormData()
  form.set('project_id', project)
  form.set('file', new Blob([secret]), 'image.png')
  const made = await fetch(`${api.url}/file/create`, {
    method: 'POST',
    body: form,
    headers: api.authorization,
  })
  const { digest } = (await made.json()) as { digest: string }
  const picture = { _type: 'CustomWeaveType', files: { 'image.png': digest } }
  const call = await stored(world, { inputs: { text: secret, picture } })
  const { id, token } = await shared(world, 'trace', call.trace_id)
  return { id, token: String(token), call_id: String(call.id), digest, trace: String(call.trace_id) }
}

async function run(world: World): Promise<string> {
  const { api, project, secret } = world
  const name = `r-${secret}`
  const ref = `weave:///${project}/object/${name}:v0`
  await api.ok(v2(project, 'datasets'), { name: `rows-${secret}`, rows: [{ q: secret }] })
  const dataset = `weave:///${project}/object/rows-${secret}:v0`
  await api.ok(v2(project, 'evaluations'), { name, dataset })
  await api.ok(v2(project, 'models'), { name: `gpt-${secret}`, source_code: '#' })
  const body = { evaluation: ref, model: `weave:///${project}/object/gpt-${secret}:v0` }
  return String((await api.ok(v2(project, 'evaluation_runs'), body)).evaluation_run_id)
}

async function dashboard({ api, project, secret }: World): Promise<string> {
  const object_id = `d-${secret}`
  const val = { _type: 'Dashboard', _class_name: 'Dashboard', _bases: ['Object', 'BaseModel'], name: secret }
  const obj = { project_id: project, object_id, val: { ...val, range: '1h', panels: [{ metric: 'calls' }] } }
  await api.ok('/obj/create', { obj })
  return object_id
}

const nowhere = { why: 'a link that leads nowhere', status: 404 } as const
const guessed = 'A'.repeat(43)

export const sharing = [
  operation('POST', '/shares/create', 'write', async (world) => {
    const { trace_id } = await stored(world)
    const body = { project_id: world.project, kind: 'trace', target: trace_id }
    return {
      valid: { body },
      effect: async (answer) => {
        const { token } = json<{ token: string }>(answer)
        expect((await world.api.as(null).get(`/shared/${token}`)).status).toBe(200)
      },
      invalid: [
        { why: 'no such thing', body: { ...body, kind: 'project' }, status: 422, at: 'body.kind' },
        { why: 'no such trace', body: { ...body, target: 'nope' }, status: 404 },
        { why: 'a trace is no run', body: { ...body, kind: 'evaluation_run' }, status: 404 },
        { why: 'too long', body: { ...body, seconds: 1e9 }, status: 422, at: 'body.seconds' },
      ],
    }
  }),

  operation('POST', '/shares/query', 'read', async (world) => {
    const { id, trace: target } = await trace(world)
    const body = { project_id: world.project, kind: 'trace', target }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({ shares: [{ id, state: 'live' }], days_most: 365 }),
      invalid: [{ why: 'no project', body: {}, status: 422, at: 'body.project_id' }],
    }
  }),

  operation('POST', '/shares/revoke', 'write', async (world) => {
    const { id, token } = await trace(world)
    const body = { project_id: world.project, share: id }
    return {
      valid: { body },
      effect: async () => expect((await world.api.as(null).get(`/shared/${token}`)).status).toBe(404),
      invalid: [{ why: 'no such link', body: { ...body, share: 'nope' }, status: 404 }],
    }
  }),

  operation('GET', '/shared/{token}', 'public', async (world) => {
    const { token, trace: target } = await trace(world)
    return {
      valid: { params: { token } },
      effect: (answer) => expect(json(answer)).toMatchObject({ kind: 'trace', target }),
      invalid: [{ ...nowhere, params: { token: guessed } }],
    }
  }),

  operation('GET', '/shared/{token}/calls', 'public', async (world) => {
    const { token, call_id } = await trace(world)
    return {
      valid: { params: { token } },
      effect: ({ text }) => expect(jsonLines(text)).toMatchObject([{ id: call_id }]),
      invalid: [{ ...nowhere, params: { token: guessed } }],
    }
  }),

  operation('GET', '/shared/{token}/facts', 'public', async (world) => {
    const { token, call_id } = await trace(world)
    return {
      valid: { params: { token } },
      effect: ({ text }) => expect(jsonLines(text)).toMatchObject([{ id: call_id, kind: null, summary: {} }]),
      invalid: [{ ...nowhere, params: { token: guessed } }],
    }
  }),

  operation('GET', '/shared/{token}/calls/{call_id}', 'public', async (world) => {
    const { token, call_id } = await trace(world)
    return {
      valid: { params: { token, call_id } },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({ call: { inputs: { text: world.secret } }, feedback: [] }),
      invalid: [
        { ...nowhere, params: { token: guessed, call_id } },
        { why: 'no such call', params: { token, call_id: 'nope' }, status: 404 },
      ],
    }
  }),

  operation('GET', '/shared/{token}/calls/{call_id}/file', 'public', async (world) => {
    const { token, call_id, digest } = await trace(world)
    const params = { token, call_id }
    return {
      valid: { params, query: { uri: digest } },
      effect: ({ text }) => expect(text).toBe(world.secret),
      invalid: [
        { ...nowhere, params: { token: guessed, call_id }, query: { uri: digest } },
        { why: 'no such file', params, query: { uri: 'nope' }, status: 404 },
        { why: 'no file named', params, query: {}, status: 422, at: 'query.uri' },
      ],
    }
  }),

  operation('GET', '/shared/{token}/evaluation', 'public', async (world) => {
    const id = await run(world)
    const { token } = await shared(world, 'evaluation_run', id)
    const params = { token: String(token) }
    return {
      valid: { params },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({ summary: { evaluations: [{ evaluation_call_id: id }] } }),
      invalid: [
        { ...nowhere, params: { token: guessed } },
        { why: 'too many rows', params, query: { limit: '101' }, status: 422, at: 'query.limit' },
      ],
    }
  }),

  operation('GET', '/shared/{token}/dashboard', 'public', async (world) => {
    const { token } = await shared(world, 'dashboard', await dashboard(world))
    return {
      valid: { params: { token: String(token) } },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({ name: world.secret, panels: [{ panel: { metric: 'calls' } }] }),
      invalid: [{ ...nowhere, params: { token: guessed } }],
    }
  }),

  operation('GET', '/mentions/own', 'key', () => ({
    valid: {},
    effect: (answer) => expect(json(answer)).toMatchObject({ mentions: expect.any(Array) }),
    invalid: [{ why: 'no key', status: 401, anonymous: true }],
  })),

  operation('POST', '/mentions/seen', 'key', () => ({
    valid: { body: { until: new Date().toISOString() } },
    effect: async (answer) => expect(json(answer)).toEqual({ ok: true }),
    invalid: [
      { why: 'no time', body: {}, status: 422, at: 'body.until' },
      { why: 'what is no time', body: { until: 'now' }, status: 400 },
    ],
  })),

  operation('POST', '/mentions/people', 'read', ({ project }) => ({
    valid: { body: { project_id: project, prefix: 'dev' } },
    effect: (answer) =>
      expect(json<{ people: object[] }>(answer).people).toContainEqual({ username: 'dev', name: 'dev' }),
    invalid: [
      {
        why: 'the name is a number',
        body: { project_id: project, prefix: 1 },
        status: 422,
        at: 'body.prefix',
      },
    ],
  })),
]
