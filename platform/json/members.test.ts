import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonError } from './error.js'
import { membersOf, objectText } from './members.js'

it('members keep their text, the last of a name counts', () => {
  const members = membersOf(' {"a":1.0, "b":{"c": [1]} ,"\\u0061":-0.0}')
  expect([...members]).toEqual([
    ['a', '-0.0'],
    ['b', '{"c": [1]}'],
  ])
  expect(objectText(members.set('é"', 'null'))).toBe('{"a":-0.0,"b":{"c": [1]},"é\\"":null}')
})

it('there are none in other values and in nothing; what is no JSON is an error', () => {
  for (const text of ['', '[1]', '"a"', 'null']) expect(membersOf(text)).toEqual(new Map())
  expect(() => membersOf('{"a":1')).toThrow(JsonError)
})

it('make the same object again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value)
      expect(JSON.parse(objectText(membersOf(text)))).toEqual(JSON.parse(text))
    }),
  )
})
