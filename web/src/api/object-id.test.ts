import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OBJECT_ID } from '../../../contract/limits.js'
import { objectIdOf } from './object-id'

it.each([
  ['Errors of today', 'Errors-of-today'],
  ['  p95 (prod)! ', 'p95-prod'],
  ['Ошибки за день', 'Ошибки-за-день'],
  ['错误 · 今天', '错误-今天'],
  ['🙂', ''],
])('%s names %s', (name, id) => {
  expect(objectIdOf(name)).toBe(id)
})

it('the service takes every one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
      const id = objectIdOf(name)
      if (id !== '') expect(id).toMatch(OBJECT_ID)
    }),
  )
})
