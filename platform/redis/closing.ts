/** The end of queues and their workers, which BullMQ lets wait for as long as Redis is away. */
import { setTimeout as sleep } from 'node:timers/promises'

const MOST_MS = 5000

/** Resolves when all have closed, or have had their time; never rejects. */
export async function closed(closing: readonly Promise<unknown>[], mostMs = MOST_MS): Promise<void> {
  const given = new AbortController()
  const late = sleep(mostMs, undefined, { signal: given.signal }).catch(() => undefined)
  await Promise.race([Promise.allSettled(closing), late])
  given.abort()
}
