/** Closes queues and workers, for which BullMQ waits as long as Redis is unreachable. */
import { setTimeout as sleep } from 'node:timers/promises'

const MOST_MS = 5000

/** Resolves when all have closed, or after `mostMs`; never rejects. */
export async function closed(closing: readonly Promise<unknown>[], mostMs = MOST_MS): Promise<void> {
  const given = new AbortController()
  const late = sleep(mostMs, undefined, { signal: given.signal }).catch(() => undefined)
  await Promise.race([Promise.allSettled(closing), late])
  given.abort()
}
