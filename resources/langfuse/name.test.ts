import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isObjectId } from '../objects/create.js'
import { langfuseNameOf, objectIdOf } from './name.js'

it('every name has an object id of its own, and is found by what is shown', () => {
  const name = fc.oneof(
    fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
    fc.constantFrom('a/b', 'a b', 'a_b', 'A/b'),
  )
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(isObjectId(objectIdOf(one))).toBe(true)
      expect(objectIdOf(one) === objectIdOf(other)).toBe(one === other)
      expect(langfuseNameOf(objectIdOf(one), one)).toBe(one)
    }),
  )
})

it('an object of another client is found by its object id', () => {
  expect(langfuseNameOf('My-Data', 'My Data')).toBe('My-Data')
  expect(langfuseNameOf('golden', null)).toBe('golden')
})
