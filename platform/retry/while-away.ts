/** Work with a store or a Redis that may be away for a while. Knows nothing of the work. */
import { setTimeout as pause } from 'node:timers/promises'
import { HeddleError } from '../platform/errors/error.js'

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 2000

/** Does `work`, again and again while what it needs is away, until `signal`. @throws what else it throws */
export async function retrying<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await work()
    } catch (error) {
      const away = error instanceof HeddleError && (error.status === 503 || error.code === 'BUSY')
      if (!away || signal.aborted) throw error
      await pause(wait, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) throw error
    }
  }
}
