import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isObjectId } from '../../objects/create.js'
import { datasetIdOf, datasetNameOf } from './name.js'

it('every name has an object id of its own, and is found by what is shown', () => {
  const name = fc.oneof(
    fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
    fc.constantFrom('a/b', 'a b', 'a_b', 'A/b'),
  )
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(isObjectId(datasetIdOf(one))).toBe(true)
      expect(datasetIdOf(one) === datasetIdOf(other)).toBe(one === other)
      expect(datasetNameOf(datasetIdOf(one), one)).toBe(one)
    }),
  )
})

it('a dataset of another client is found by its object id', () => {
  expect(datasetNameOf('My-Data', 'My Data')).toBe('My-Data')
  expect(datasetNameOf('golden', null)).toBe('golden')
})
