import { expect, it } from 'vitest'
import { preview } from './columns.js'

it.each([
  [{ question: 'Where is it?' }, 'Where is it?'],
  [{ question: 'Where?', lang: 'en' }, '{"question":"Where?","lang":"en"}'],
  [{ number: 7 }, '{"number":7}'],
  [['one'], '["one"]'],
  [{}, '{}'],
  [{ messages: [{ role: 'user', content: 'Hello' }] }, 'Hello'],
  ['a text', 'a text'],
  [null, ''],
])('%j is shown as %s', (value, expected) => {
  expect(preview(value)).toBe(expected)
})
