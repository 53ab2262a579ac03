/**
 * Who may use the engine when. Each kind of work has a lane with seats of its own, so that none starves
 * another; a query that turns out to be long moves over to the shared seats for long ones, and frees its
 * seat for short ones. Callers share a lane: who holds fewest is next, and nobody holds all of it. A caller's
 * name may begin with an account, `account/name`: accounts share first, then callers of one account; those that
 * don't say who they are share as one. Knows nothing of what is run.
 */
import { failure } from './failure.js'

export type Lane = 'read' | 'write' | 'command'

export type Limits = {
  seats: Record<Lane, number>
  /** Seats for queries of any lane that have run longer than `longAfterMs`. */
  longSeats: number
  longAfterMs: number
  /** Waiting requests in a lane beyond which more are turned away at once. */
  queue: number
  /** Milliseconds after which a waiting request is turned away. */
  patienceMs: number
}

/** Of the seats that a lane's work can come to sit on, the part that one account may hold; of these, one caller. */
const part = 3 / 4
/** Of the places in a queue, the part that one account may wait on. */
const queuePart = 1 / 2

type Waiting = { caller: string; enter: () => void; leave: (error: Error) => void }

export class Lanes {
  #used: Record<Lane, number> = { read: 0, write: 0, command: 0 }
  /** Seats of a lane's callers, those for long queries among them. */
  #held: Record<Lane, Map<string, number>> = { read: new Map(), write: new Map(), command: new Map() }
  #long = 0
  #waiting: Record<Lane, Waiting[]> = { read: [], write: [], command: [] }
  /** Those who have run long but found no long seat free. */
  #wantLong: (() => void)[] = []

  constructor(private readonly limits: Limits) {}

  /**
   * Waits for a seat.
   * @param caller who asks.
   * @returns a function that frees it.
   * @throws QueryFailure 202 where too many wait already or the wait was too long; also after `signal`.
   */
  async enter(lane: Lane, signal: AbortSignal, caller = ''): Promise<() => void> {
    const isFree = this.#used[lane] < this.limits.seats[lane]
    if (isFree && this.#may(lane, caller)) this.#take(lane, caller)
    else await this.#wait(lane, signal, caller)
    return this.#seat(lane, caller)
  }

  #may(lane: Lane, caller: string): boolean {
    const seats = this.limits.seats[lane] + this.limits.longSeats
    const perAccount = Math.max(1, Math.floor(seats * part))
    const perCaller = Math.ceil(perAccount * part)
    return this.#holds(lane, accountOf(caller)) < perAccount && this.#holds(lane, nameOf(caller)) < perCaller
  }

  #holds(lane: Lane, who: string): number {
    return this.#held[lane].get(who) ?? 0
  }

  #take(lane: Lane, caller: string): void {
    this.#used[lane]++
    for (const who of [accountOf(caller), nameOf(caller)])
      this.#held[lane].set(who, this.#holds(lane, who) + 1)
  }

  #giveBack(lane: Lane, caller: string): void {
    for (const who of [accountOf(caller), nameOf(caller)]) {
      const left = this.#holds(lane, who) - 1
      if (left > 0) this.#held[lane].set(who, left)
      else this.#held[lane].delete(who)
    }
  }

  #wait(lane: Lane, signal: AbortSignal, caller: string): Promise<void> {
    const queue = this.#waiting[lane]
    if (queue.length >= this.limits.queue) return Promise.reject(crowded('the queue is full'))
    const mine = queue.filter((other) => accountOf(other.caller) === accountOf(caller)).length
    if (mine >= Math.ceil(this.limits.queue * queuePart))
      return Promise.reject(crowded('others wait as well'))
    return new Promise((resolve, reject) => {
      const leave = (error: Error): void => {
        const at = queue.indexOf(waiting)
        if (at >= 0) queue.splice(at, 1)
        settle()
        reject(error)
      }
      const timer = setTimeout(() => leave(crowded('it has waited too long')), this.limits.patienceMs)
      const onAbort = (): void => leave(failure(210, 'NETWORK_ERROR', 'The client has gone'))
      const settle = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      const waiting: Waiting = {
        caller,
        enter: () => {
          settle()
          resolve()
        },
        leave,
      }
      signal.addEventListener('abort', onAbort)
      queue.push(waiting)
    })
  }

  #seat(lane: Lane, caller: string): () => void {
    let isLong = false
    const promote = (): void => {
      if (this.#long >= this.limits.longSeats) {
        this.#wantLong.push(promote)
        return
      }
      isLong = true
      this.#long++
      this.#used[lane]--
      this.#admit(lane)
    }
    const timer = setTimeout(promote, this.limits.longAfterMs)
    return () => {
      clearTimeout(timer)
      const at = this.#wantLong.indexOf(promote)
      if (at >= 0) this.#wantLong.splice(at, 1)
      this.#giveBack(lane, caller)
      if (isLong) {
        this.#long--
        this.#wantLong.shift()?.()
      } else this.#used[lane]--
      this.#admit(lane)
    }
  }

  /**
   * Free seats go to those who may have one: of the account that holds fewest, the caller who does, and of equals who
   * has waited longest.
   */
  #admit(lane: Lane): void {
    const queue = this.#waiting[lane]
    while (this.#used[lane] < this.limits.seats[lane]) {
      let next: { waiting: Waiting; account: number; own: number } | undefined
      for (const waiting of queue) {
        if (!this.#may(lane, waiting.caller)) continue
        const account = this.#holds(lane, accountOf(waiting.caller))
        const own = this.#holds(lane, nameOf(waiting.caller))
        if (!next || account < next.account || (account === next.account && own < next.own))
          next = { waiting, account, own }
      }
      if (!next) return
      queue.splice(queue.indexOf(next.waiting), 1)
      this.#take(lane, next.waiting.caller)
      next.waiting.enter()
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
