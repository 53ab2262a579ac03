/** Decides which failures of a model are retried, after what wait, and when to give up. Pure but for the clock. */
import { setTimeout as pause } from 'node:timers/promises'
import { type FailureCode, ProviderFailure } from '../domain/providers/failure.js'
import { HeddleError } from '../platform/errors/error.js'
import { waitAfter } from '../platform/retry/backoff.js'
import { RowFailure } from './failure.js'

const PASSING: ReadonlySet<FailureCode> = new Set([
  'PROVIDER_UNREACHABLE',
  'PROVIDER_LIMIT',
  'PROVIDER_FAILED',
  'OVERLOADED',
])
/** Failures of the worker's own dependencies, which aren't the model's fault and whose end can't be foreseen. */
const AWAY: ReadonlySet<string> = new Set([
  'STORE_UNAVAILABLE',
  'STORE_BUSY',
  'STORE_FULL',
  'STORE_DISK_FAILED',
  'QUEUES_AWAY',
])
const WAITS = { firstMs: 500, longestMs: 10_000 }

/** Whether the store or the queues are unavailable; the row itself didn't fail. */
export function isAway(error: unknown): boolean {
  return error instanceof HeddleError && AWAY.has(error.code)
}

/** Whether a retry may succeed. */
export function mayMend(error: unknown): boolean {
  if (error instanceof ProviderFailure) return PASSING.has(error.code)
  if (error instanceof RowFailure) return error.unreached
  return error instanceof HeddleError && (error.status === 429 || error.status === 503) && !isAway(error)
}

/** Whether the error means that the model is unavailable, whatever the row. */
function isOutage(error: unknown): boolean {
  return !(error instanceof ProviderFailure && error.code === 'PROVIDER_FAILED')
}

/** How long a model has been unavailable: since its first failure after its last answer, over all rows. */
export class Outage {
  private since: number | undefined

  /**
   * @param patienceMs how long an outage is waited out
   * @param began told of each outage that is waited out, with what began it
   */
  constructor(
    private readonly patienceMs: number,
    private readonly now = () => performance.now(),
    private readonly began: (error: Error) => void = () => undefined,
  ) {}

  /** Notes that the model answered. */
  over(): void {
    this.since = undefined
  }

  /** Notes a failure. @returns whether to keep waiting */
  lasts(error: Error): boolean {
    if (this.since === undefined) {
      this.since = this.now()
      if (this.patienceMs > 0) this.began(error)
    }
    return this.now() - this.since < this.patienceMs
  }
}

/** The wait in ms before try number `tries` + 1. @param random from 0 to 1 */
export function waitBefore(tries: number, random: number): number {
  return waitAfter(tries, WAITS) * (0.5 + random / 2)
}

/** Retries `work` up to `tries` times, and longer while an outage is waited out. @throws the error of the last try */
export async function withRetries<T>(
  most: number,
  outage: Outage,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      const result = await work()
      outage.over()
      return result
    } catch (error) {
      if (signal.aborted || !mayMend(error)) throw error
      const waits = isOutage(error) && outage.lasts(error as Error)
      if (tries >= most && !waits) throw error
      await pause(waitBefore(tries, Math.random()), undefined, { signal })
    }
  }
}
