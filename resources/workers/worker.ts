/** The entry of a thread. */
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { type Outcome, outcomeOf, type Task } from './task.js'

/** Blocks, texts of rows and lists of digests are handed over, not copied. */
export default function run(task: Task): unknown {
  const outcome = outcomeOf(task)
  const buffers = buffersOf(outcome)
  if (buffers.length === 0) return outcome
  return move({ [transferableSymbol]: buffers, [valueSymbol]: outcome })
}

function buffersOf(outcome: Outcome): ArrayBuffer[] {
  if (!('done' in outcome)) return []
  const { done } = outcome
  if (done instanceof Uint8Array) return [done.buffer as ArrayBuffer]
  const memory = 'rows' in done ? done.rows : 'list' in done ? done.list : undefined
  const order = 'order' in done ? [done.order.buffer] : []
  return memory ? [memory.texts.buffer, memory.ends.buffer, ...order] : []
}
