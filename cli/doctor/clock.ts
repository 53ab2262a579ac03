/** Compares another machine's clock with this one's, for `heddle doctor`. */
import { BELIEVED_MS } from '../../domain/chat/node-announcement.js'
import type { Finding } from './finding.js'

/** Many machines create ids and times of calls; with a larger difference, calls are out of order. */
const NOTICED_MS = 1000

/**
 * Compares it with this machine's.
 * @param ask reads the other clock, in ms since 1970
 * @throws what `ask` throws
 */
export async function clockFinding(name: string, ask: () => Promise<number>): Promise<Finding> {
  const before = Date.now()
  const other = await ask()
  const after = Date.now()
  return clockSaid(name, apart(before, other, after))
}

/** How far `other` is outside the time of the request, in ms; ahead is positive. */
export function apart(before: number, other: number, after: number): number {
  if (other < before) return other - before
  return other > after ? other - after : 0
}

export function clockSaid(name: string, ms: number): Finding {
  const far = Math.abs(ms)
  if (far < NOTICED_MS) return { name, state: 'ok', text: 'in step with this machine' }
  const text = `${(far / 1000).toFixed(1)} s ${ms > 0 ? 'ahead of' : 'behind'} this machine's`
  // Beyond this, healthy workers and nodes look dead.
  return {
    name,
    state: far < BELIEVED_MS ? 'warn' : 'fail',
    text,
    todo: 'keep both clocks with NTP (chrony)',
  }
}
