import { expect, it } from 'vitest'
import { reached } from './items.js'

/** By state, where an annotator may go from it, as the contract has it. */
const MOVES = {
  unstarted: ['in_progress', 'completed', 'skipped'],
  in_progress: ['in_progress', 'completed', 'skipped'],
  completed: ['completed'],
  skipped: ['skipped'],
} as const
const names = [...Object.keys(MOVES), 'done', 'toString', '']

it.each(Object.entries(MOVES))('%s becomes %j', (from, all) => {
  const reachable = names.map((name) => reached(from as keyof typeof MOVES, name))
  expect(reachable.filter((state) => state !== undefined).sort()).toEqual([...all].sort())
})
