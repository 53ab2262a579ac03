import { expect, it } from 'vitest'
import { treeText } from '../../platform/json/tree.js'
import { fieldsOf, readCompletionRequest } from './completion-request.js'

const asked = (content: string, template_vars: object) =>
  readCompletionRequest(
    Buffer.from(
      JSON.stringify({
        project_id: 'acme/one',
        inputs: { model: 'm', messages: [{ role: 'user', content }], template_vars },
      }),
    ),
  )

it('puts variables into messages, those that there are', () => {
  const { messages } = Object.fromEntries(fieldsOf(asked('{a} {b} {c}', { a: 'x', b: { n: 1 } }), []))
  expect(treeText(messages!)).toBe('[{"role":"user","content":"x {\\"n\\":1} {c}"}]')
})

it('refuses a long variable in many places, and not one that is there once', () => {
  const long = 'x'.repeat(1 << 20)
  expect(fieldsOf(asked('{a}', { a: long }), []).size).toBe(1)
  expect(() => fieldsOf(asked('{a}'.repeat(500), { a: long }), [])).toThrow('too long')
})
