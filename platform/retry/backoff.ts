/** Exponential backoff: each wait is twice the previous one, up to a limit. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface BackoffLimits {
  firstMs: number
  longestMs: number
}

/** ms to wait after `tries` failed tries (at least one). */
export function waitAfter(tries: number, { firstMs, longestMs }: BackoffLimits): number {
  return Math.min(firstMs * 2 ** (tries - 1), longestMs)
}

export class Backoff {
  private tries = 1

  constructor(private readonly limits: BackoffLimits) {}

  /** The length of the next wait. */
  get nextMs(): number {
    return waitAfter(this.tries, this.limits)
  }

  /** Call this after a success: the next wait is the first again. */
  reset(): void {
    this.tries = 1
  }

  /** Waits, or until `signal` aborts; never rejects. */
  async wait(signal: AbortSignal): Promise<void> {
    await sleep(this.nextMs, undefined, { signal }).catch(() => undefined)
    this.tries++
  }
}
