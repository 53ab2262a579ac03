/**
 * Bounds what runs in the engine at once. Each kind of work has permits of its own, so that none starves another; a
 * query that turns out to be long moves over to the shared permits for long ones and gives its own to a short one.
 * Callers share the permits of a kind: no caller holds all of them, and the one that holds fewest is next. A caller's
 * name may begin with an account, `account/name`: accounts share first, then callers of one account; callers without a
 * name share as one. Knows nothing of what is run.
 */
import { failure } from './failure.js'

export type WorkKind = 'read' | 'write' | 'command'

export type Limits = {
  permits: Record<WorkKind, number>
  /** Permits for queries of any kind that have run longer than `longAfterMs`. */
  longPermits: number
  longAfterMs: number
  /** Waiting requests of a kind beyond which more are refused at once. */
  queue: number
  /** Milliseconds after which a waiting request is refused. */
  patienceMs: number
}

/** Of the permits that work of a kind can hold, the part that one account may hold; of these, one caller. */
const part = 3 / 4
/** The part of a queue that one account may fill. */
const queuePart = 1 / 2

type Waiting = { caller: string; admit: () => void }

export class Semaphores {
  #used: Record<WorkKind, number> = { read: 0, write: 0, command: 0 }
  /** Permits that callers hold, those for long queries among them. */
  #held: Record<WorkKind, Map<string, number>> = { read: new Map(), write: new Map(), command: new Map() }
  #long = 0
  #waiting: Record<WorkKind, Waiting[]> = { read: [], write: [], command: [] }
  /** Queries that have run long but found no permit for long ones. */
  #wantLong: (() => void)[] = []

  constructor(private readonly limits: Limits) {}

  /**
   * Waits for a permit.
   * @returns a function that gives it back.
   * @throws QueryFailure 202 where too many wait already or the wait was too long; also after `signal`.
   */
  async acquire(kind: WorkKind, signal: AbortSignal, caller = ''): Promise<() => void> {
    const isFree = this.#used[kind] < this.limits.permits[kind]
    if (isFree && this.#may(kind, caller)) this.#take(kind, caller)
    else await this.#wait(kind, signal, caller)
    return this.#permit(kind, caller)
  }

  #may(kind: WorkKind, caller: string): boolean {
    const permits = this.limits.permits[kind] + this.limits.longPermits
    const perAccount = Math.max(1, Math.floor(permits * part))
    const perCaller = Math.ceil(perAccount * part)
    return this.#holds(kind, accountOf(caller)) < perAccount && this.#holds(kind, nameOf(caller)) < perCaller
  }

  #holds(kind: WorkKind, who: string): number {
    return this.#held[kind].get(who) ?? 0
  }

  #take(kind: WorkKind, caller: string): void {
    this.#used[kind]++
    for (const who of [accountOf(caller), nameOf(caller)])
      this.#held[kind].set(who, this.#holds(kind, who) + 1)
  }

  #release(kind: WorkKind, caller: string): void {
    for (const who of [accountOf(caller), nameOf(caller)]) {
      const left = this.#holds(kind, who) - 1
      if (left > 0) this.#held[kind].set(who, left)
      else this.#held[kind].delete(who)
    }
  }

  #wait(kind: WorkKind, signal: AbortSignal, caller: string): Promise<void> {
    const queue = this.#waiting[kind]
    if (queue.length >= this.limits.queue) return Promise.reject(crowded('the queue is full'))
    const mine = queue.filter((other) => accountOf(other.caller) === accountOf(caller)).length
    if (mine >= Math.ceil(this.limits.queue * queuePart))
      return Promise.reject(crowded('others wait as well'))
    return new Promise((resolve, reject) => {
      const abandon = (error: Error): void => {
        const at = queue.indexOf(waiting)
        if (at >= 0) queue.splice(at, 1)
        settle()
        reject(error)
      }
      const timer = setTimeout(() => abandon(crowded('it has waited too long')), this.limits.patienceMs)
      const onAbort = (): void => abandon(failure(210, 'NETWORK_ERROR', 'The client has gone'))
      const settle = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      const waiting: Waiting = {
        caller,
        admit: () => {
          settle()
          resolve()
        },
      }
      signal.addEventListener('abort', onAbort)
      queue.push(waiting)
    })
  }

  #permit(kind: WorkKind, caller: string): () => void {
    let isLong = false
    const promote = (): void => {
      if (this.#long >= this.limits.longPermits) {
        this.#wantLong.push(promote)
        return
      }
      isLong = true
      this.#long++
      this.#used[kind]--
      this.#admit(kind)
    }
    const timer = setTimeout(promote, this.limits.longAfterMs)
    return () => {
      clearTimeout(timer)
      const at = this.#wantLong.indexOf(promote)
      if (at >= 0) this.#wantLong.splice(at, 1)
      this.#release(kind, caller)
      if (isLong) {
        this.#long--
        this.#wantLong.shift()?.()
      } else this.#used[kind]--
      this.#admit(kind)
    }
  }

  /**
   * Gives free permits to callers that may have one: of the account that holds fewest, the one that does; of equals,
   * the oldest.
   */
  #admit(kind: WorkKind): void {
    const queue = this.#waiting[kind]
    while (this.#used[kind] < this.limits.permits[kind]) {
      let next: { waiting: Waiting; account: number; own: number } | undefined
      for (const waiting of queue) {
        if (!this.#may(kind, waiting.caller)) continue
        const account = this.#holds(kind, accountOf(waiting.caller))
        const own = this.#holds(kind, nameOf(waiting.caller))
        if (!next || account < next.account || (account === next.account && own < next.own))
          next = { waiting, account, own }
      }
      if (!next) return
      queue.splice(queue.indexOf(next.waiting), 1)
      this.#take(kind, next.waiting.caller)
      next.waiting.admit()
    }
  }
}

/** What comes before the first `/`. */
function accountOf(caller: string): string {
  return caller.split('/', 1)[0]!
}

/** The whole name, which is no account's. */
function nameOf(caller: string): string {
  return caller.includes('/') ? caller : `${caller}/`
}

function crowded(reason: string): Error {
  return failure(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', `Too many simultaneous queries: ${reason}`)
}
