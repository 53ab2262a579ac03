/** Waits between tries: each twice as long as the one before, up to a longest. Knows nothing of what is tried. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface BackoffLimits {
  firstMs: number
  longestMs: number
}

/** ms to wait after `tries` tries, at least one. */
export function waitAfter(tries: number, { firstMs, longestMs }: BackoffLimits): number {
  return Math.min(firstMs * 2 ** (tries - 1), longestMs)
}

export class Backoff {
  private tries = 1

  constructor(private readonly limits: BackoffLimits) {}

  /** How long the next wait is. */
  get nextMs(): number {
    return waitAfter(this.tries, this.limits)
  }

  /** Something went well: the next wait is the first again. */
  reset(): void {
    this.tries = 1
  }

  /** Waits, or until `signal`; never rejects. */
  async wait(signal: AbortSignal): Promise<void> {
    await sleep(this.nextMs, undefined, { signal }).catch(() => undefined)
    this.tries++
  }
}
