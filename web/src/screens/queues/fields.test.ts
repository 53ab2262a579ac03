import { expect, it } from 'vitest'
import { fieldOf, nextOpen, QUESTIONS } from './fields'

const ref = 'weave:///e/p/object/how%20good:d1'
const kindOf = (field_schema: unknown) => fieldOf(ref, { name: 'How good?', field_schema })

it('a specification is a field', () => {
  expect(kindOf(QUESTIONS['yes or no']())).toMatchObject({
    name: 'how good',
    title: 'How good?',
    kind: 'choice',
    options: [true, false],
  })
  expect(kindOf(QUESTIONS['1 to 5']())).toMatchObject({ options: [1, 2, 3, 4, 5] })
  expect(kindOf(QUESTIONS['one of'](['a', 'b']))).toMatchObject({ options: ['a', 'b'] })
  expect(kindOf({ type: 'number', minimum: 0, maximum: 1 })).toMatchObject({ kind: 'number', min: 0, max: 1 })
  expect(kindOf({ type: 'integer', minimum: 0, maximum: 100 })).toMatchObject({
    kind: 'number',
    isInteger: true,
  })
  expect(kindOf(undefined)).toMatchObject({ kind: 'text' })
  expect(fieldOf('weave:///e/p/op/x:d1', {})).toBeUndefined()
  expect(fieldOf(ref, null)).toBeUndefined()
})

it('the next item is the first after this one that nobody is done with', () => {
  expect(nextOpen(['completed', 'unstarted', 'skipped', 'in_progress'], 1)).toBe(3)
  expect(nextOpen(['unstarted', 'completed'], 1)).toBe(0)
  expect(nextOpen(['unstarted', 'completed'], 0)).toBe(0)
  expect(nextOpen(['completed'], 0)).toBeUndefined()
  expect(nextOpen([], 0)).toBeUndefined()
})
