/**
 * Bounds how many requests of a key, and of the account that it belongs to, are under way at once: reads and writes
 * apart. Knows no route: their declarations say which of them count, and as what.
 */

import { errors } from '../errors/catalog.js'
import { Counts } from '../fairness/counts.js'
import type { Principal } from './principal.js'
import type { RouteSpec } from './route.js'

/** The most requests under way at once. */
export interface Limit {
  perKey: number
  perAccount: number
}

export class ConcurrencyLimit {
  private readonly running = new Counts()

  constructor(
    private readonly reads: Limit,
    private readonly writes: Limit,
  ) {}

  /**
   * Counts a request until what it returns is called (harmless twice).
   * @throws `REQUESTS_USED` (429) while the key or its account is at its limit
   */
  acquire({ access, unlimited }: RouteSpec, principal: Principal): () => void {
    if (unlimited !== undefined) return () => undefined
    const kind = access === 'read' || access === 'public' ? 'reads' : 'writes'
    const { perKey, perAccount } = this[kind]
    const key = `${kind} ${principal.caller}`
    const account = `${kind} ${principal.account}`
    if (this.running.of(key) >= perKey) throw errors.requestsUsed('key', perKey, kind)
    if (this.running.of(account) >= perAccount) throw errors.requestsUsed('account', perAccount, kind)
    this.running.add([key, account], 1)
    let released = false
    return () => {
      if (released) return
      released = true
      this.running.add([key, account], -1)
    }
  }
}
