/** Which failures of a model another try may mend, how long to wait before it, and when to give up. Pure, but for the clock. */
import { setTimeout as pause } from 'node:timers/promises'
import { type FailureCode, ProviderFailure } from '../domain/providers/failure.js'
import { HeddleError } from '../platform/errors/error.js'
import { waitAfter } from '../platform/retry/backoff.js'

const PASSING: ReadonlySet<FailureCode> = new Set([
  'PROVIDER_UNREACHABLE',
  'PROVIDER_LIMIT',
  'PROVIDER_FAILED',
  'OVERLOADED',
])
/** What the worker itself can't do without: no fault of a model, and no end of it can be told. */
const AWAY: ReadonlySet<string> = new Set(['STORE_UNAVAILABLE', 'STORE_BUSY', 'QUEUES_AWAY'])
const WAITS = { firstMs: 500, longestMs: 10_000 }

/** Whether the store or the queues are away: then it is not the row that failed. */
export function isAway(error: unknown): boolean {
  return error instanceof HeddleError && AWAY.has(error.code)
}

/** Whether another try may bring an answer. */
export function mayMend(error: unknown): boolean {
  if (error instanceof ProviderFailure) return PASSING.has(error.code)
  return error instanceof HeddleError && (error.status === 429 || error.status === 503) && !isAway(error)
}

/** Whether it says of the model alone that it can't be had now, and nothing of the row. */
function isOutage(error: unknown): boolean {
  return !(error instanceof ProviderFailure && error.code === 'PROVIDER_FAILED')
}

/** How long a model has been away: since the first of its failures after its last answer, whichever row was asked about. */
export class Outage {
  private since: number | undefined

  /** @param patienceMs so long an outage is waited out */
  constructor(
    private readonly patienceMs: number,
    private readonly now = () => performance.now(),
  ) {}

  /** It answered. */
  over(): void {
    this.since = undefined
  }

  /** It is away; returns whether that is waited out. */
  lasts(): boolean {
    this.since ??= this.now()
    return this.now() - this.since < this.patienceMs
  }
}

/** ms before try number `tries` + 1. @param random from 0 to 1 */
export function waitBefore(tries: number, random: number): number {
  return waitAfter(tries, WAITS) * (0.5 + random / 2)
}

/** What `work` returns, tried so many times, and on while an outage is waited out. @throws what the last try threw */
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
      const waits = isOutage(error) && outage.lasts()
      if (tries >= most && !waits) throw error
      await pause(waitBefore(tries, Math.random()), undefined, { signal })
    }
  }
}
