/**
 * Who may use how many of a few connections. Nobody holds all of them, and who holds fewest is next: accounts first,
 * then callers of one account. Knows nothing of what the connections are for.
 */
import type { Caller } from './caller.js'

/** The part of all seats that one account may hold, and of that, one caller. */
const PART = 3 / 4

interface Waiting {
  caller: Caller
  enter: () => void
}

export class Seats {
  private used = 0
  private readonly held = new Map<string, number>()
  private waiting: Waiting[] = []
  private readonly perAccount: number
  private readonly perCaller: number

  constructor(private readonly count: number) {
    this.perAccount = Math.max(1, Math.floor(count * PART))
    this.perCaller = Math.max(1, Math.ceil(this.perAccount * PART))
  }

  /** Waits for a seat; returns what frees it (harmless twice). @throws after `signal` */
  async enter(caller: Caller, signal?: AbortSignal): Promise<() => void> {
    if (this.used < this.count && this.may(caller)) this.take(caller)
    else await this.wait(caller, signal)
    let free = false
    return () => {
      if (free) return
      free = true
      this.giveBack(caller)
    }
  }

  private wait(caller: Caller, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting = this.waiting.filter((one) => one !== waiting)
        // As the client says it of a statement that is under way.
        reject(new Error('The user aborted a request.'))
      }
      const waiting: Waiting = {
        caller,
        enter: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave, { once: true })
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

  private giveBack(caller: Caller): void {
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
    next.enter()
  }

  /** Of those who may enter, whose account holds fewest, and of these who does; else who has waited longest. */
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
