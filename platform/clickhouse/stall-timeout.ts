/**
 * A timeout on our side for statements with a limit in the store, because a stalled store does not enforce its limit.
 */
import { errors } from '../errors/catalog.js'

/** Grace beyond the store's own limit before it counts as stalled. */
const GRACE_SECONDS = 5

/**
 * Runs `work` with a signal that aborts with `signal`, or when `seconds` and the grace have passed; then it throws
 * `TOO_SLOW` (504). Neither applies after `work` has ended: a result that it returned may go on, and its user watches
 * `signal`.
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
