import { expect, it } from 'vitest'
import { previewOf } from './preview.js'

it.each([
  ['hello', 'hello'],
  ['{"a":{"b":"}"}} and then?', 'and then?'],
  ['see {"a":[1,"\\""]} here', 'see [JSON] here'],
  ['[{"a":1}] [1] {no} {"cut', '[1] {no} {"cut'],
  ['{"a":1}', '[JSON]'],
  ['', ''],
  ['é'.repeat(281), `${'é'.repeat(280)}…`],
])('%s', (text, shown) => {
  expect(previewOf(text)).toBe(shown)
})
