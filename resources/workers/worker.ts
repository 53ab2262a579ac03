/** The entry of a thread. */
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { type Outcome, outcomeOf } from '../../platform/threads/outcome.js'
import type { Done, Task } from '../../platform/threads/work-threads.js'
import { WORK } from './task.js'

type Work = typeof WORK

/** Blocks, texts of rows and lists of digests are handed over, not copied. */
export default function run({ kind, input }: Task<Work>): unknown {
  const outcome = outcomeOf<Done<Work>>(() => WORK[kind](input as never))
  const buffers = buffersOf(outcome)
  if (buffers.length === 0) return outcome
  return move({ [transferableSymbol]: buffers, [valueSymbol]: outcome })
}

function buffersOf(outcome: Outcome<Done<Work>>): ArrayBuffer[] {
  if (!('done' in outcome)) return []
  const { done } = outcome
  if (done instanceof Uint8Array) return [done.buffer as ArrayBuffer]
  if ('content' in done) return [done.content.buffer as ArrayBuffer]
  const memory = 'rows' in done ? done.rows : 'list' in done ? done.list : undefined
  const order = 'order' in done ? [done.order.buffer] : []
  return memory ? [memory.texts.buffer, memory.ends.buffer, ...order] : []
}
