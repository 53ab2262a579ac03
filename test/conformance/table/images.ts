/** The operation that makes images. No provider is asked: what providers do is another suite's matter. */
import { expect } from 'vitest'
import { json, operation } from './operation.js'

export const images = [
  operation('POST', '/image/create', 'write', async ({ api, project, secret }) => {
    // An address that nobody may ask: the answer says so, and the call is tracked as one that failed.
    const val = { name: 'studio', base_url: 'http://127.0.0.1:9/v1', api_key_name: '' }
    const obj = { project_id: project, object_id: 'studio', builtin_object_class: 'Provider', val }
    await api.ok('/obj/create', { obj })
    const inputs = { model: 'custom::studio::painter', prompt: secret, n: 1 }
    return {
      valid: { body: { project_id: project, inputs } },
      effect: async (answer) => {
        const { response, weave_call_id: id } = json(answer)
        expect(response).toMatchObject({ error: { code: 'BAD_ADDRESS' } })
        const { call } = await api.ok('/call/read', { project_id: project, id })
        expect(call).toMatchObject({
          inputs,
          output: response,
          exception: expect.stringMatching(/^BAD_ADDRESS/),
        })
      },
      invalid: [
        {
          why: 'no prompt',
          body: { project_id: project, inputs: { model: 'm' } },
          status: 422,
          at: 'body.inputs.prompt',
        },
        {
          why: 'no such provider',
          body: { project_id: project, inputs: { ...inputs, model: 'custom::nobody::painter' } },
          status: 404,
        },
      ],
    }
  }),
]
