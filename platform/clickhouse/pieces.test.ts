import { expect, it } from 'vitest'
import { pieces, writtenBytes } from './pieces.js'

it('cuts by number and by weight, and keeps the order', () => {
  expect(pieces([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(pieces([60, 60, 10, 900, 1], 100, (weight) => weight, 100)).toEqual([[60], [60, 10], [900], [1]])
  expect(pieces([])).toEqual([])
})

it('knows that some characters are written as several', () => {
  expect(writtenBytes("'é")).toBeGreaterThan(writtenBytes('ab'))
})
