import { expect, it } from 'vitest'
import { messagesText } from './completion-request.js'

const filled = (content: string, variables: object) =>
  messagesText({
    messages: JSON.stringify([{ role: 'user', content }]),
    variables: JSON.stringify(variables),
    prompt: undefined,
  })

it('puts variables into messages, those that there are', () => {
  expect(filled('{a} {b} {c}', { a: 'x', b: { n: 1 } })).toBe(
    '[{"role":"user","content":"x {\\"n\\":1} {c}"}]',
  )
})

it('refuses a long variable in many places, and not one that is there once', () => {
  const long = 'x'.repeat(1 << 20)
  expect(filled('{a}', { a: long })).toContain(long)
  expect(() => filled('{a}'.repeat(500), { a: long })).toThrow('too long')
})
