import { expect, it } from 'vitest'
import { preview } from './columns.js'

it.each([
  [{ question: 'Where is it?' }, 'Where is it?'],
  [{ question: 'Where?', lang: 'en' }, 'question: Where?  lang: en'],
  [{ number: 7 }, 'number: 7'],
  [
    { self: 'weave:///a/b/object/quiz:Xy1', rows: [1], at: { x: null } },
    'self: quiz  rows: [1]  at: {"x":null}',
  ],
  [['one'], '["one"]'],
  [{}, ''],
  [{ messages: [{ role: 'user', content: 'Hello' }] }, 'Hello'],
  ['a text', 'a text'],
  [null, ''],
  [{ _omitted: { bytes: 20_000_000 } }, '20.0 MB: open the call to see it'],
])('%j is shown as %s', (value, expected) => {
  expect(preview(value)).toBe(expected)
})
