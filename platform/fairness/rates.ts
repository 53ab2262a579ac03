/** How often something may be done over time, by name: token buckets. They hold in one process. */
import { Lru } from '../lru/lru.js'

/** `burst` at once, and then `perSecond`. */
export interface Rate {
  burst: number
  perSecond: number
}

interface Bucket {
  tokens: number
  /** ms on the caller's clock */
  at: number
}

export class Rates {
  private readonly buckets: Lru<Bucket>

  /** @param known how many names are remembered; those unused the longest start anew */
  constructor(known: number) {
    this.buckets = new Lru(known)
  }

  /** Counts one. @param now ms of a clock that does not go back @returns false: it is too many, and is not counted */
  take(name: string, { burst, perSecond }: Rate, now = performance.now()): boolean {
    const before = this.buckets.get(name) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, before.tokens + ((now - before.at) / 1000) * perSecond)
    this.buckets.set(name, { tokens: tokens < 1 ? tokens : tokens - 1, at: now })
    return tokens >= 1
  }
}
