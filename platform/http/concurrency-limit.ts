/**
 * Bounds how many requests of a key, and of the account that it belongs to, are under way at once: reads and writes
 * apart. Knows no route: their declarations say which of them count, and as what.
 */

import { errors } from '../errors/catalog.js'
import type { Principal } from './principal.js'
import type { RouteSpec } from './route.js'

/** The most requests under way at once. */
export interface Limit {
  perKey: number
  perAccount: number
}

export class ConcurrencyLimit {
  private readonly running = new Map<string, number>()

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
    if (this.count(key) >= perKey) throw errors.requestsUsed('key', perKey, kind)
    if (this.count(account) >= perAccount) throw errors.requestsUsed('account', perAccount, kind)
    for (const name of [key, account]) this.running.set(name, this.count(name) + 1)
    let released = false
    return () => {
      if (released) return
      released = true
      for (const name of [key, account]) {
        const left = this.count(name) - 1
        if (left > 0) this.running.set(name, left)
        else this.running.delete(name)
      }
    }
  }

  private count(name: string): number {
    return this.running.get(name) ?? 0
  }
}
