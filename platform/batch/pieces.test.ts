import { expect, it } from 'vitest'
import { piecesOf } from './pieces.js'

it.each([
  ['nothing', [], []],
  ['what fits', [1, 2], [[1, 2]]],
  ['no more items than allowed', [1, 1, 1, 1], [[1, 1, 1], [1]]],
  ['no more bytes than allowed', [4, 6, 5, 6], [[4, 6], [5], [6]]],
  ['an item that is too large by itself', [1, 20, 1], [[1], [20], [1]]],
])('cuts %s', (_what, items, pieces) =>
  expect([...piecesOf(items, (size) => size, { items: 3, bytes: 10 })]).toEqual(pieces),
)
