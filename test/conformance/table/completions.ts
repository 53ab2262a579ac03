/** The operations that complete a chat. No provider is asked: what providers do is another suite's matter. */
import { expect } from 'vitest'
import { json, operation, type World } from './operation.js'

const MODEL = 'custom::studio::writer'

/** A provider at an address that nobody may ask: the answer says so, and the call is tracked as one that failed. */
async function request({ api, project, secret }: World) {
  const val = { name: 'studio', base_url: 'http://127.0.0.1:9/v1', api_key_name: '' }
  const obj = { project_id: project, object_id: 'studio', builtin_object_class: 'Provider', val }
  await api.ok('/obj/create', { obj })
  const inputs = { model: MODEL, messages: [{ role: 'user', content: secret }], temperature: 0.5 }
  return { project_id: project, inputs }
}

const REFUSED = { code: 'BAD_ADDRESS' }

async function expectTracked({ api, project }: World, id: unknown, inputs: object) {
  const { call } = await api.ok('/call/read', { project_id: project, id })
  expect(call).toMatchObject({
    inputs,
    output: { error: REFUSED },
    exception: expect.stringMatching(/^BAD_ADDRESS/),
  })
}

const invalid = (body: { project_id: string; inputs: object }) =>
  [
    { why: 'no model', body: { ...body, inputs: { messages: [] } }, status: 422, at: 'body.inputs.model' },
    { why: 'no messages', body: { ...body, inputs: { model: MODEL } }, status: 400 },
    {
      why: 'headers of its own',
      body: { ...body, inputs: { ...body.inputs, extra_headers: { host: 'elsewhere' } } },
      status: 400,
    },
    {
      why: 'no such model',
      body: { ...body, inputs: { ...body.inputs, model: 'custom::nobody::x' } },
      status: 404,
    },
  ] as const

export const completions = [
  operation('POST', '/completions/create', 'write', async (world) => {
    const body = await request(world)
    return {
      valid: { body },
      effect: async (answer) => {
        const { response, weave_call_id: id } = json(answer)
        expect(response).toMatchObject({ error: REFUSED })
        await expectTracked(world, id, body.inputs)
      },
      invalid: invalid(body),
    }
  }),
  operation('POST', '/completions/create_stream', 'write', async (world) => {
    const body = await request(world)
    return {
      valid: { body },
      effect: async (answer) => {
        const [first, last, ...more] = answer.text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as { _meta?: { weave_call_id: string }; error?: object })
        expect([last, more]).toEqual([{ error: expect.objectContaining(REFUSED) }, []])
        await expectTracked(world, first?._meta?.weave_call_id, body.inputs)
      },
      invalid: invalid(body),
    }
  }),
]
