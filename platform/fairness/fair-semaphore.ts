/**
 * A semaphore that shares its permits fairly: no account gets all of them, so one is left for others at once, and the
 * account with the fewest is next; the callers of an account share the same way. While several accounts ask, one that has
 * used more than its share of late is held to that.
 */

import { accountOf, type Caller } from './caller.js'
import { Counts } from './counts.js'
import { RecentAccounts } from './recent-accounts.js'
import { RecentUse } from './recent-use.js'

/** The fraction of all permits that one account may hold, and of those, one caller. */
const PART = 3 / 4
/** Stands for the accounts that are active and ask elsewhere. */
const ELSEWHERE = ':elsewhere'

interface Waiting {
  caller: Caller
  admit: () => void
}

export interface Permit {
  /** Releases the permit; idempotent. */
  release(): void
  /** Frees the permit for others, but counts it for the caller until {@link release}. */
  handOn(): void
}

export class FairSemaphore {
  private used = 0
  private readonly held = new Counts()
  /** the same without those that were handed on, by account */
  private readonly using = new RecentUse()
  private waiting: Waiting[] = []
  private readonly perAccount: number
  private readonly perCaller: number
  private readonly active = new RecentAccounts()

  /**
   * @param permits permits in all
   * @param handedOn permits that callers may hold in addition, after handing theirs on
   * @param share permits that one account may use, over a second or longer, while another is active as well
   */
  constructor(
    private readonly permits: number,
    handedOn = 0,
    private readonly share = permits,
  ) {
    this.perAccount = Math.max(1, Math.floor((permits + handedOn) * PART))
    this.perCaller = Math.ceil(this.perAccount * PART)
  }

  /** True if {@link acquire} would not wait. */
  isFree(caller: Caller): boolean {
    return this.used < this.permits && this.may(caller)
  }

  /** Number of waiting callers, in all or of the caller's account. */
  waits(caller?: Caller): number {
    if (caller === undefined) return this.waiting.length
    return this.waiting.filter((one) => accountOf(one.caller) === accountOf(caller)).length
  }

  /**
   * Waits for a permit.
   * @param besideOthers accounts are active that don't ask here
   * @throws when `signal` aborts
   */
  async acquire(caller: Caller, signal?: AbortSignal, besideOthers = false): Promise<Permit> {
    this.active.note(accountOf(caller))
    if (besideOthers) this.active.note(ELSEWHERE)
    if (this.isFree(caller)) this.take(caller)
    else await this.wait(caller, signal)
    let released = false
    let handedOn = false
    const handOn = () => {
      if (handedOn) return
      handedOn = true
      this.used--
      this.using.add(accountOf(caller), -1)
      this.admit()
    }
    const release = () => {
      if (released) return
      released = true
      this.held.add([accountOf(caller), caller], -1)
      if (handedOn) this.admit()
      else handOn()
    }
    return { release, handOn }
  }

  private wait(caller: Caller, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abandon = () => {
        this.waiting = this.waiting.filter((one) => one !== waiting)
        // The same message that the client uses for a running statement.
        reject(new Error('The user aborted a request.'))
      }
      const waiting: Waiting = {
        caller,
        admit: () => {
          signal?.removeEventListener('abort', abandon)
          resolve()
        },
      }
      if (signal?.aborted) return abandon()
      signal?.addEventListener('abort', abandon, { once: true })
      this.waiting.push(waiting)
    })
  }

  private may(caller: Caller): boolean {
    const account = accountOf(caller)
    const most = this.hasItsShare(account) ? this.share : this.permits
    if (this.using.of(account) >= Math.max(1, Math.min(most, this.permits - 1))) return false
    return this.held.of(account) < this.perAccount && this.held.of(caller) < this.perCaller
  }

  private hasItsShare(account: string): boolean {
    return this.using.average(account) >= this.share && this.active.hasOthers(account)
  }

  private take(caller: Caller): void {
    this.used++
    this.held.add([accountOf(caller), caller], 1)
    this.using.add(accountOf(caller), 1)
  }

  private admit(): void {
    while (this.used < this.permits) {
      const next = this.next()
      if (!next) return
      this.waiting.splice(this.waiting.indexOf(next), 1)
      this.take(next.caller)
      next.admit()
    }
  }

  /** Of callers that may have a permit: in the account with the fewest, the one with the fewest, then the oldest. */
  private next(): Waiting | undefined {
    let best: { waiting: Waiting; account: number; own: number } | undefined
    for (const waiting of this.waiting) {
      if (!this.may(waiting.caller)) continue
      const account = this.held.of(accountOf(waiting.caller))
      const own = this.held.of(waiting.caller)
      if (!best || account < best.account || (account === best.account && own < best.own))
        best = { waiting, account, own }
    }
    return best?.waiting
  }
}
