import { expect, it } from 'vitest'
import { groupBy } from './group-by.js'

it('groups items in the order they came', () =>
  expect([...groupBy([3, 1, 4, 1, 5], (n) => n % 2)]).toEqual([
    [1, [3, 1, 1, 5]],
    [0, [4]],
  ]))
