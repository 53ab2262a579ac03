/**
 * Bounds what runs in the engine at once. Each kind of work has permits of its own, so that none starves another; a
 * query that turns out to be long moves over to the shared permits for long ones and hands its own on to a short one.
 * Callers share the permits of a kind ({@link FairSemaphore}); callers without a name share as one.
 */
import type { Caller } from '../../platform/fairness/caller.js'
import { FairSemaphore, type Permit } from '../../platform/fairness/fair-semaphore.js'
import { failure } from './failure.js'

/** `flush`: what the log brings into its tables. */
export type WorkKind = 'read' | 'write' | 'command' | 'flush'

export type Limits = {
  permits: Record<WorkKind, number>
  /** Reads of one account at once, over a second or longer, while another account is active: its part of the processors. */
  readsBesideOthers: number
  /** Permits for queries of any kind that have run longer than `longAfterMs`. */
  longPermits: number
  longAfterMs: number
  /** Waiting requests of a kind beyond which more are refused at once. */
  queue: number
  /** Milliseconds after which a waiting request is refused. */
  timeoutMs: number
}

/** The part of a queue that one account may fill. */
const queuePart = 1 / 2

export class Semaphores {
  readonly #kinds: Record<WorkKind, FairSemaphore>
  #long = 0
  /** Queries that have run long but found no permit for long ones. */
  #wantLong: (() => void)[] = []

  constructor(private readonly limits: Limits) {
    const { permits, longPermits, readsBesideOthers } = limits
    const of = (kind: WorkKind, share?: number): FairSemaphore =>
      new FairSemaphore(permits[kind], longPermits, share)
    this.#kinds = {
      read: of('read', readsBesideOthers),
      write: of('write'),
      command: of('command'),
      flush: of('flush'),
    }
  }

  /**
   * Waits for a permit.
   * @param caller `account/name`, or an account alone.
   * @param besideOthers other accounts are active, whether or not they ask here.
   * @returns a function that gives it back.
   * @throws QueryFailure 202 where too many wait already or the wait was too long; also after `signal`.
   */
  async acquire(kind: WorkKind, signal: AbortSignal, caller = '', besideOthers = false): Promise<() => void> {
    const name = (caller.includes('/') ? caller : `${caller}/`) as Caller
    const semaphore = this.#kinds[kind]
    if (semaphore.isFree(name)) return this.#whileShort(await semaphore.acquire(name, signal, besideOthers))
    if (semaphore.waits() >= this.limits.queue) throw crowded('the queue is full')
    if (semaphore.waits(name) >= Math.ceil(this.limits.queue * queuePart))
      throw crowded('others wait as well')
    const tooLong = new AbortController()
    const timer = setTimeout(() => tooLong.abort(), this.limits.timeoutMs)
    const permit = await semaphore
      .acquire(name, AbortSignal.any([signal, tooLong.signal]), besideOthers)
      .catch(() => {
        throw signal.aborted
          ? failure(210, 'NETWORK_ERROR', 'The client has gone')
          : crowded('it has waited too long')
      })
      .finally(() => clearTimeout(timer))
    return this.#whileShort(permit)
  }

  /** Moves a query over to the permits for long ones when it has run long. Returns what ends its permit. */
  #whileShort(permit: Permit): () => void {
    let isLong = false
    const promote = (): void => {
      if (this.#long >= this.limits.longPermits) {
        this.#wantLong.push(promote)
        return
      }
      isLong = true
      this.#long++
      permit.handOn()
    }
    const timer = setTimeout(promote, this.limits.longAfterMs)
    return () => {
      clearTimeout(timer)
      const at = this.#wantLong.indexOf(promote)
      if (at >= 0) this.#wantLong.splice(at, 1)
      permit.release()
      if (!isLong) return
      this.#long--
      this.#wantLong.shift()?.()
    }
  }
}

function crowded(reason: string): Error {
  return failure(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', `Too many simultaneous queries: ${reason}`)
}
