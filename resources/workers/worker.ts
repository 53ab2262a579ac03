import { move, transferableSymbol, valueSymbol } from 'piscina'
import { type Outcome, outcomeOf } from '../../platform/threads/outcome.js'
import type { Done, Task } from '../../platform/threads/work-threads.js'
import { memoryOf } from './memory.js'
import { WORK } from './task.js'

type Work = typeof WORK

/** Runs a task. Blocks, texts of rows and lists of digests are transferred, not copied. */
export default function run({ kind, input }: Task<Work>): unknown {
  const outcome = outcomeOf<Done<Work>>(() => WORK[kind](input as never))
  const buffers = buffersOf(outcome)
  if (buffers.length === 0) return outcome
  return move({ [transferableSymbol]: buffers, [valueSymbol]: outcome })
}

function buffersOf(outcome: Outcome<Done<Work>>): ArrayBuffer[] {
  return 'done' in outcome ? memoryOf(outcome.done) : []
}
