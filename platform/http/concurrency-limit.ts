/** Limits the concurrent requests of a key and of its account, reads and writes separately. */

import { errors } from '../errors/catalog.js'
import { Counts } from '../fairness/counts.js'
import type { Principal } from './principal.js'
import type { RouteSpec } from './route.js'

/** The most concurrent requests. */
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
   * Counts a request until the returned function is called; calling it again has no effect.
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
