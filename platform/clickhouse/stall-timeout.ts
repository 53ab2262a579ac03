/**
 * A bound on our side for statements that have a bound in the store: a store that stalls keeps no clock. Knows nothing
 * of statements.
 */
import { errors } from '../errors/catalog.js'

/** What the store may need beyond its own limit before we believe that it stalls. */
const GRACE_SECONDS = 5

/**
 * Runs `work` with a signal that is aborted when `signal` is, or when `seconds` and the grace are over; then it throws
 * `TOO_SLOW` (504). Once `work` has ended neither holds any more: what it returned may go on, and who returned it
 * watches `signal`.
 */
export async function withStallTimeout<T>(
  seconds: number | undefined,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (seconds === undefined) return work(signal)
  const controller = new AbortController()
  const onward = () => controller.abort()
  if (signal?.aborted) onward()
  signal?.addEventListener('abort', onward)
  let late = false
  const timer = setTimeout(
    () => {
      late = true
      controller.abort()
    },
    (seconds + GRACE_SECONDS) * 1000,
  )
  try {
    return await work(controller.signal)
  } catch (error) {
    throw late ? errors.tooSlow() : error
  } finally {
    signal?.removeEventListener('abort', onward)
    clearTimeout(timer)
  }
}
