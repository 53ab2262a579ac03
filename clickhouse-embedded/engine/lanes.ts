/**
 * Who may use the engine when. Each kind of work has a lane with seats of its own, so that none starves
 * another; a query that turns out to be long moves over to the shared seats for long ones, and frees its
 * seat for short ones. Knows nothing of what is run.
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

type Waiting = { enter: () => void; leave: (error: Error) => void }

export class Lanes {
  #used: Record<Lane, number> = { read: 0, write: 0, command: 0 }
  #long = 0
  #waiting: Record<Lane, Waiting[]> = { read: [], write: [], command: [] }
  /** Those who have run long but found no long seat free. */
  #wantLong: (() => void)[] = []

  constructor(private readonly limits: Limits) {}

  /**
   * Waits for a seat.
   * @returns a function that frees it.
   * @throws QueryFailure 202 where too many wait already or the wait was too long; also after `signal`.
   */
  async enter(lane: Lane, signal: AbortSignal): Promise<() => void> {
    if (this.#used[lane] >= this.limits.seats[lane]) await this.#wait(lane, signal)
    else this.#used[lane]++
    return this.#seat(lane)
  }

  #wait(lane: Lane, signal: AbortSignal): Promise<void> {
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

  #seat(lane: Lane): () => void {
    let isLong = false
    const promote = (): void => {
      if (this.#long >= this.limits.longSeats) {
        this.#wantLong.push(promote)
        return
      }
      isLong = true
      this.#long++
      this.#free(lane)
    }
    const timer = setTimeout(promote, this.limits.longAfterMs)
    return () => {
      clearTimeout(timer)
      const at = this.#wantLong.indexOf(promote)
      if (at >= 0) this.#wantLong.splice(at, 1)
      if (!isLong) return this.#free(lane)
      this.#long--
      this.#wantLong.shift()?.()
    }
  }

  /** The seat goes to the one who has waited longest, or stays empty. */
  #free(lane: Lane): void {
    const next = this.#waiting[lane].shift()
    if (next) next.enter()
    else this.#used[lane]--
  }
}

function crowded(reason: string): Error {
  return failure(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', `Too many simultaneous queries: ${reason}`)
}
