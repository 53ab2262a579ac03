import { expect, it } from 'vitest'
import { inTurns } from './turns.js'

it('gives every item once, and lets others have their turn between two ranges', async () => {
  const ranges: { from: number; to: number }[] = []
  const turns: number[] = []
  for await (const range of inTurns(25, 10)) {
    ranges.push(range)
    setImmediate(() => turns.push(range.from))
  }
  expect(ranges).toEqual([
    { from: 0, to: 10 },
    { from: 10, to: 20 },
    { from: 20, to: 25 },
  ])
  expect(turns.slice(0, 2)).toEqual([0, 10])
})

it('gives nothing of nothing', async () => {
  for await (const range of inTurns(0, 10)) expect(range).toBeUndefined()
})
