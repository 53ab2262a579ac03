/** Decides which checkpoints of a model are kept. Pure. */
import type { StoredCheckpoint } from '../domain/training/checkpoints.js'

export interface CheckpointRetention {
  /** how many of the newest to keep; 0: all */
  last: number
  /** also keep the best by this metric; a leading minus: smaller is better; undefined: none */
  best: string | undefined
}

type Kept = Pick<StoredCheckpoint, 'step' | 'metrics'>

/** @returns the checkpoints to delete, in their given order; never the newest */
export function expiredCheckpoints<T extends Kept>(
  checkpoints: readonly T[],
  { last, best }: CheckpointRetention,
): T[] {
  if (last === 0) return []
  const bySteps = [...checkpoints].sort((a, b) => b.step - a.step)
  const kept = new Set<T>(bySteps.slice(0, last))
  const top = best === undefined ? undefined : bestOf(bySteps, best)
  if (top) kept.add(top)
  return checkpoints.filter((one) => !kept.has(one))
}

/** @returns the best checkpoint, the newest of equals */
function bestOf<T extends Kept>(newestFirst: readonly T[], metric: string): T | undefined {
  const smaller = metric.startsWith('-')
  const name = smaller ? metric.slice(1) : metric
  let best: { one: T; value: number } | undefined
  for (const one of newestFirst) {
    const value = (JSON.parse(one.metrics) as Record<string, number>)[name]
    if (value === undefined) continue
    if (!best || (smaller ? value < best.value : value > best.value)) best = { one, value }
  }
  return best?.one
}
