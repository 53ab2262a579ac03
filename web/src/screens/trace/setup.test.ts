import { expect, it } from 'vitest'
import { setupOf } from './setup'

const schema = { type: 'object', properties: { id: { type: 'integer' } } }
const tool = { name: 'lookup', description: 'finds an order' }
const found = [{ ...tool, schema }]
const of = (inputs: Record<string, unknown>, attributes = {}) => setupOf({ inputs, attributes })

it.each([
  ['OpenAI', [{ type: 'function', function: { ...tool, parameters: schema } }]],
  ['OpenAI, responses', [{ type: 'function', ...tool, parameters: schema }]],
  ['Anthropic', [{ ...tool, input_schema: schema }]],
  ['Gemini', [{ functionDeclarations: [{ ...tool, parameters: schema }] }]],
  ['an instrumentation that writes text', [JSON.stringify({ ...tool, parameters: schema })]],
])('the tools of %s', (_, tools) => expect(of({ tools }).tools).toEqual(found))

it('parameters come from the request and from what an instrumentation says of it', () => {
  const inputs = { model: 'm', messages: [], temperature: 0, max_tokens: null, generationConfig: { topK: 3 } }
  const attributes = { model_parameters: { temperature: 1, seed: 7 } }
  expect(Object.fromEntries(of(inputs, attributes).parameters)).toEqual({
    ...{ model: 'm', temperature: 0, topK: 3, seed: 7 },
  })
})

it.each([[{}], [{ tools: 'none' }], [{ tools: [null, 1, {}] }], [{ config: [] }]])(
  '%j says nothing of either',
  (inputs) => expect(of(inputs)).toEqual({ parameters: [], tools: [] }),
)
