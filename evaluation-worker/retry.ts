/** Which failures of a model another try may mend, and how long to wait before it. Pure, but for the waiting. */
import { setTimeout as pause } from 'node:timers/promises'
import { HeddleError } from '../common/errors/error.js'
import { type FailureCode, ProviderFailure } from '../common/providers/failure.js'

const PASSING: ReadonlySet<FailureCode> = new Set([
  'PROVIDER_UNREACHABLE',
  'PROVIDER_LIMIT',
  'PROVIDER_FAILED',
  'OVERLOADED',
])
/** What the worker itself can't do without: no fault of a model, and no end of it can be told. */
const AWAY: ReadonlySet<string> = new Set(['STORE_UNAVAILABLE', 'STORE_BUSY', 'QUEUES_AWAY'])
const FIRST_MS = 500
const LONGEST_MS = 10_000

/** Whether the store or the queues are away: then it is not the row that failed. */
export function isAway(error: unknown): boolean {
  return error instanceof HeddleError && AWAY.has(error.code)
}

/** Whether another try may bring an answer. */
export function mayMend(error: unknown): boolean {
  if (error instanceof ProviderFailure) return PASSING.has(error.code)
  return error instanceof HeddleError && (error.status === 429 || error.status === 503) && !isAway(error)
}

/** ms before try number `tries` + 1. @param random from 0 to 1 */
export function waitBefore(tries: number, random: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1)) * (0.5 + random / 2)
}

/** What `work` returns, tried at most so many times. @throws what the last try threw */
export async function withRetries<T>(most: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= most || signal.aborted || !mayMend(error)) throw error
      await pause(waitBefore(tries, Math.random()), undefined, { signal })
    }
  }
}
