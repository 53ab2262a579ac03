/**
 * A semaphore whose permits are shared fairly: no account holds all of them, and the one that holds fewest is next;
 * within an account its callers share likewise. Knows nothing of what the permits are for.
 */
import type { Caller } from './caller.js'

/** The part of all permits that one account may hold, and of that, one caller. */
const PART = 3 / 4

interface Waiting {
  caller: Caller
  admit: () => void
}

export class FairSemaphore {
  private used = 0
  private readonly held = new Map<string, number>()
  private waiting: Waiting[] = []
  private readonly perAccount: number
  private readonly perCaller: number

  /** @param permits held at once */
  constructor(private readonly permits: number) {
    this.perAccount = Math.max(1, Math.floor(permits * PART))
    this.perCaller = Math.max(1, Math.ceil(this.perAccount * PART))
  }

  /** Waits for a permit; returns what gives it back (harmless twice). @throws after `signal` */
  async acquire(caller: Caller, signal?: AbortSignal): Promise<() => void> {
    if (this.used < this.permits && this.may(caller)) this.take(caller)
    else await this.wait(caller, signal)
    let released = false
    return () => {
      if (released) return
      released = true
      this.release(caller)
    }
  }

  private wait(caller: Caller, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abandon = () => {
        this.waiting = this.waiting.filter((one) => one !== waiting)
        // The client's own words for a statement that is under way.
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
    return this.holds(accountOf(caller)) < this.perAccount && this.holds(caller) < this.perCaller
  }

  private holds(who: string): number {
    return this.held.get(who) ?? 0
  }

  private take(caller: Caller): void {
    this.used++
    for (const who of [accountOf(caller), caller]) this.held.set(who, this.holds(who) + 1)
  }

  private release(caller: Caller): void {
    this.used--
    for (const who of [accountOf(caller), caller]) {
      const left = this.holds(who) - 1
      if (left > 0) this.held.set(who, left)
      else this.held.delete(who)
    }
    const next = this.next()
    if (!next) return
    this.waiting.splice(this.waiting.indexOf(next), 1)
    this.take(next.caller)
    next.admit()
  }

  /** Of the callers that may have one: of the account that holds fewest, the one that does; of equals, the oldest. */
  private next(): Waiting | undefined {
    let best: { waiting: Waiting; account: number; own: number } | undefined
    for (const waiting of this.waiting) {
      if (!this.may(waiting.caller)) continue
      const account = this.holds(accountOf(waiting.caller))
      const own = this.holds(waiting.caller)
      if (!best || account < best.account || (account === best.account && own < best.own))
        best = { waiting, account, own }
    }
    return best?.waiting
  }
}

function accountOf(caller: Caller): string {
  return caller.slice(0, caller.indexOf('/'))
}
