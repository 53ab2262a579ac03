/**
 * A semaphore whose permits are shared fairly: no account holds all of them, and the one that holds fewest is next;
 * within an account its callers share likewise. Knows nothing of what the permits are for.
 */
import type { Caller } from './caller.js'
import { Counts } from './counts.js'

/** The part of all permits that one account may hold, and of that, one caller. */
const PART = 3 / 4

interface Waiting {
  caller: Caller
  admit: () => void
}

export interface Permit {
  /** Gives the permit back; harmless twice. */
  release(): void
  /** Gives the permit to others, but still counts for the caller until it is released. */
  handOn(): void
}

export class FairSemaphore {
  private used = 0
  private readonly held = new Counts()
  private waiting: Waiting[] = []
  private readonly perAccount: number
  private readonly perCaller: number

  /**
   * @param permits held at once
   * @param handedOn permits beside these that callers may hold, having handed theirs on
   */
  constructor(
    private readonly permits: number,
    handedOn = 0,
  ) {
    this.perAccount = Math.max(1, Math.floor((permits + handedOn) * PART))
    this.perCaller = Math.ceil(this.perAccount * PART)
  }

  /** Whether {@link acquire} would not wait. */
  isFree(caller: Caller): boolean {
    return this.used < this.permits && this.may(caller)
  }

  /** How many wait, in all or of the caller's account. */
  waits(caller?: Caller): number {
    if (caller === undefined) return this.waiting.length
    return this.waiting.filter((one) => accountOf(one.caller) === accountOf(caller)).length
  }

  /** Waits for a permit. @throws after `signal` */
  async acquire(caller: Caller, signal?: AbortSignal): Promise<Permit> {
    if (this.isFree(caller)) this.take(caller)
    else await this.wait(caller, signal)
    let released = false
    let handedOn = false
    const handOn = () => {
      if (handedOn) return
      handedOn = true
      this.used--
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
    return this.held.of(accountOf(caller)) < this.perAccount && this.held.of(caller) < this.perCaller
  }

  private take(caller: Caller): void {
    this.used++
    this.held.add([accountOf(caller), caller], 1)
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

  /** Of the callers that may have one: of the account that holds fewest, the one that does; of equals, the oldest. */
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

function accountOf(caller: Caller): string {
  return caller.slice(0, caller.indexOf('/'))
}
