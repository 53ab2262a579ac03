import { expect, it } from 'vitest'
import { descendantsOf } from './delete-calls.js'

const member = (id: string, parent_id: string) => ({ id, parent_id })

it.each([
  ['nothing below', ['a'], [member('b', 'x')], []],
  [
    'a tree',
    ['a'],
    [member('b', 'a'), member('c', 'b'), member('d', 'x'), member('e', 'a')],
    ['b', 'c', 'e'],
  ],
  ['roots inside each other', ['a', 'b'], [member('b', 'a'), member('c', 'b')], ['c']],
  ['a circle', ['a'], [member('b', 'a'), member('a', 'b')], ['b']],
  ['a call that is there twice', ['a'], [member('b', 'a'), member('b', 'a')], ['b']],
])('descendants: %s', (_, roots, members, found) => {
  expect(descendantsOf(new Set(roots), members).sort()).toEqual(found)
})

it('descendants of a chain longer than any stack', () => {
  const chain = Array.from({ length: 200_000 }, (_, n) => member(String(n + 1), String(n)))
  expect(descendantsOf(new Set(['0']), chain)).toHaveLength(200_000)
})
