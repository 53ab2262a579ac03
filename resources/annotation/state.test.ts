import { expect, it } from 'vitest'
import { decide } from './state.js'

/** Every move there is, as the contract has it. */
const MOVES = [
  ['unstarted', 'in_progress', 'move'],
  ['unstarted', 'completed', 'move'],
  ['unstarted', 'skipped', 'move'],
  ['unstarted', 'unstarted', 'refuse'],
  ['in_progress', 'in_progress', 'stay'],
  ['in_progress', 'completed', 'move'],
  ['in_progress', 'skipped', 'move'],
  ['in_progress', 'unstarted', 'refuse'],
  ['completed', 'completed', 'stay'],
  ['completed', 'in_progress', 'refuse'],
  ['completed', 'skipped', 'refuse'],
  ['completed', 'unstarted', 'refuse'],
  ['skipped', 'skipped', 'stay'],
  ['skipped', 'in_progress', 'refuse'],
  ['skipped', 'completed', 'refuse'],
  ['skipped', 'unstarted', 'refuse'],
  ['unstarted', 'done', 'refuse'],
  ['unstarted', 'toString', 'refuse'],
  ['unstarted', '', 'refuse'],
] as const

it.each(MOVES)('%s to %s: %s', (from, to, expected) => expect(decide(from, to)).toBe(expected))
