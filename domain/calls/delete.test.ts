import { expect, it } from 'vitest'
import { descendantsOf } from './delete.js'

const member = (id: string, parent_id: string, open = 0) => ({ id, parent_id, open })

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
  expect(descendantsOf(new Set(roots), members).flat().sort()).toEqual(found)
})

it('descendants of a chain longer than any stack', () => {
  const chain = Array.from({ length: 200_000 }, (_, n) => member(String(n + 1), String(n)))
  expect(descendantsOf(new Set(['0']), chain).flat()).toHaveLength(200_000)
})

it.each([
  ['all whole', [member('b', 'a'), member('c', 'b')], [['c', 'b']]],
  ['a running call below a whole one', [member('b', 'a'), member('c', 'b', 1)], [['c'], ['b']]],
  ['a whole call below a running one', [member('b', 'a', 1), member('c', 'b')], [['c'], ['b']]],
  [
    'both kinds in turn',
    [member('b', 'a'), member('c', 'b', 1), member('d', 'c'), member('e', 'b')],
    [['d', 'e'], ['c'], ['b']],
  ],
])('no parent goes before its children: %s', (_, members, phases) => {
  expect(descendantsOf(new Set(['a']), members)).toEqual(phases)
})

it('kinds that take turns for ever cost a bounded number of statements', () => {
  const chain = Array.from({ length: 1_000 }, (_, n) => member(String(n + 1), String(n), n % 2))
  const phases = descendantsOf(new Set(['0']), chain)
  expect(phases.length).toBeLessThanOrEqual(32)
  expect(phases.flat()).toHaveLength(1_000)
})
