/**
 * Who may use the engine when. Each kind of work has a lane with seats of its own, so that none starves
 * another; a query that turns out to be long moves over to the shared seats for long ones, and frees its
 * seat for short ones. Callers that tell who they are share a lane: who holds fewest is next, and nobody holds
 * all of it. Knows nothing of what is run.
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

/** Of the seats that a lane's work can come to sit on, the part that one caller may hold. */
const callersPart = 3 / 4

type Waiting = { caller: string | undefined; enter: () => void; leave: (error: Error) => void }

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
   * @param caller who asks; undefined: nobody who would have to share.
   * @returns a function that frees it.
   * @throws QueryFailure 202 where too many wait already or the wait was too long; also after `signal`.
   */
  async enter(lane: Lane, signal: AbortSignal, caller?: string): Promise<() => void> {
    const isFree = this.#used[lane] < this.limits.seats[lane]
    if (isFree && this.#may(lane, caller)) this.#take(lane, caller)
    else await this.#wait(lane, signal, caller)
    return this.#seat(lane, caller)
  }

  #may(lane: Lane, caller: string | undefined): boolean {
    if (caller === undefined) return true
    const seats = this.limits.seats[lane] + this.limits.longSeats
    return this.#holds(lane, caller) < Math.max(1, Math.floor(seats * callersPart))
  }

  #holds(lane: Lane, caller: string | undefined): number {
    return caller === undefined ? 0 : (this.#held[lane].get(caller) ?? 0)
  }

  #take(lane: Lane, caller: string | undefined): void {
    this.#used[lane]++
    if (caller !== undefined) this.#held[lane].set(caller, this.#holds(lane, caller) + 1)
  }

  #giveBack(lane: Lane, caller: string | undefined): void {
    if (caller === undefined) return
    const left = this.#holds(lane, caller) - 1
    if (left > 0) this.#held[lane].set(caller, left)
    else this.#held[lane].delete(caller)
  }

  #wait(lane: Lane, signal: AbortSignal, caller: string | undefined): Promise<void> {
    const queue = this.#waiting[lane]
    if (queue.length >= this.limits.queue) return Promise.reject(crowded('the queue is full'))
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

  #seat(lane: Lane, caller: string | undefined): () => void {
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

  /** Free seats go to those who may have one; who has waited longest among the callers that hold fewest comes first. */
  #admit(lane: Lane): void {
    const queue = this.#waiting[lane]
    const holds = ({ caller }: Waiting): number => this.#holds(lane, caller)
    while (this.#used[lane] < this.limits.seats[lane]) {
      let next: Waiting | undefined
      for (const waiting of queue) {
        if (!this.#may(lane, waiting.caller)) continue
        if (next === undefined || holds(waiting) < holds(next)) next = waiting
      }
      if (next === undefined) return
      queue.splice(queue.indexOf(next), 1)
      this.#take(lane, next.caller)
      next.enter()
    }
  }
}

function crowded(reason: string): Error {
  return failure(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', `Too many simultaneous queries: ${reason}`)
}
