/**
 * How many requests of a key, and of the account that it belongs to, are under way at once: reads and writes each. Whoever
 * has all it may have is told to come back. Knows no route: which of them count, and as what, is in their declarations.
 */
import type { Principal } from '../auth/principal.js'
import type { RouteSpec } from '../contract/route.js'
import { errors } from '../errors/catalog.js'

/** Requests under way at once. */
export interface Most {
  perKey: number
  perAccount: number
}

export class ConcurrencyLimit {
  private readonly running = new Map<string, number>()

  constructor(
    private readonly reads: Most,
    private readonly writes: Most,
  ) {}

  /**
   * Counts a request until what it returns is called (harmless twice).
   * @throws `REQUESTS_USED` (429) while the key or its account has all it may have
   */
  acquire({ access, unlimited }: RouteSpec, principal: Principal): () => void {
    if (unlimited !== undefined) return () => undefined
    const kind = access === 'read' || access === 'public' ? 'reads' : 'writes'
    const { perKey, perAccount } = this[kind]
    const key = `${kind} ${principal.caller}`
    const account = `${kind} ${principal.account}`
    if (this.count(key) >= perKey) throw errors.requestsUsed('key', perKey, kind)
    if (this.count(account) >= perAccount) throw errors.requestsUsed('account', perAccount, kind)
    for (const one of [key, account]) this.running.set(one, this.count(one) + 1)
    let done = false
    return () => {
      if (done) return
      done = true
      for (const one of [key, account]) {
        const left = this.count(one) - 1
        if (left > 0) this.running.set(one, left)
        else this.running.delete(one)
      }
    }
  }

  private count(who: string): number {
    return this.running.get(who) ?? 0
  }
}
