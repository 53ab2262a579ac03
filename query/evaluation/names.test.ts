import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { objectIdOf, shortName } from './names.js'

describe('ids of objects', () => {
  it.each([
    ['My Dataset', 'my_dataset'],
    ['user/model', 'user_model'],
    ['<b>Bold</b>', 'bbold_b'],
    ['Żółć 7', 'żółć_7'],
    ['データ', 'データ'],
    ['İ', 'i'],
    ['a.b-c_d', 'a.b-c_d'],
    [null, 'Op'],
    ['', 'Op'],
    ['???', 'Op'],
  ])('%s', (name, id) => expect(objectIdOf(name, 'Op')).toBe(id))

  it('every name gets an id that may be one, and keeps it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const id = objectIdOf(name, 'Op')
        expect(id).toMatch(/^[\p{L}\p{N}_.-]+$/u)
        if (id !== 'Op') expect(objectIdOf(id, 'Op')).toBe(id)
      }),
    )
  })
})

describe('names in refs', () => {
  it.each([
    ['weave:///acme/one/op/Evaluation.evaluate:abc', 'Evaluation.evaluate'],
    ['weave:///acme/one/object/my%20model:v1/attr/x', 'my model'],
    ['weave:///acme/one/object/50%:v1', '50%'],
    ['plain', 'plain'],
    ['weave:///acme/one/call/x', 'weave:///acme/one/call/x'],
  ])('%s', (ref, name) => expect(shortName(ref)).toBe(name))
})
