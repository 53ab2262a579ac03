import fc from 'fast-check'
import { expect, it } from 'vitest'
import { differences } from './differences.js'

it('are the places where values differ', () => {
  const a = { same: [1, { x: null }], only: 'a', list: [1, 2], kind: [], deep: { er: { x: 1 } } }
  const b = { same: [1, { x: null }], list: [1, 3, 4], kind: {}, deep: { er: { x: '1' } } }
  expect(differences(a, b)).toEqual([
    { path: 'only', a: 'a', b: undefined },
    { path: 'list.1', a: 2, b: 3 },
    { path: 'list.2', a: undefined, b: 4 },
    { path: 'kind', a: [], b: {} },
    { path: 'deep.er.x', a: 1, b: '1' },
  ])
})

it('are none between equal values, and some between others', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const [one, other] = [
        JSON.parse(JSON.stringify(a)) as unknown,
        JSON.parse(JSON.stringify(b)) as unknown,
      ]
      expect(differences(one, structuredClone(one))).toEqual([])
      const isSame = differences(one, other).length === 0
      if (isSame) expect(one).toEqual(other)
    }),
  )
})
