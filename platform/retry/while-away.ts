/** Retries work while the store or Redis is unavailable. */
import { HeddleError } from '../errors/error.js'
import { Backoff } from './backoff.js'

/** Runs `work`, retrying while its store is unavailable, until `signal` aborts. @throws any other error of `work` */
export async function retryWhileAway<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const backoff = new Backoff({ firstMs: 50, longestMs: 2000 })
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const away = error instanceof HeddleError && (error.status === 503 || error.code === 'BUSY')
      if (!away || signal.aborted) throw error
      await backoff.wait(signal)
      if (signal.aborted) throw error
    }
  }
}
