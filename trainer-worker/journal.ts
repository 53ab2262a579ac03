/**
 * Writes a job's events to the tables: in the order of their numbers, each once, several to an insert. Retries while
 * the store is unreachable. It doesn't use Batcher, since it must store nothing after a failure, and a flush must end
 * the pause between inserts.
 */

import { addEvents, type JobEvent } from '../domain/training/events.js'
import type { JobKey } from '../domain/training/jobs.js'
import type { Store } from '../platform/clickhouse/store.js'
import { retryWhileAway } from '../platform/retry/while-away.js'
import { nowMicros } from '../platform/time/iso.js'

/** The most events that wait for the store before the node has to wait too. */
const AHEAD = 500
/** The pause between inserts: each costs the store as much as several gradient steps. */
const APART_MS = 250

export class Journal {
  private waiting: JobEvent[] = []
  private writing: Promise<void> | undefined
  private failure: unknown
  /** ends the wait for more events; undefined: no wait */
  private hurry: (() => void) | undefined
  private flushing = 0
  /** time of the newest insert, by performance.now() */
  private wroteAt = Number.NEGATIVE_INFINITY
  private taken: number

  /** @param last number of the newest event that is stored */
  constructor(
    private readonly store: Store,
    private readonly job: JobKey,
    private readonly attempt: number,
    last: number,
    private readonly signal: AbortSignal,
  ) {
    this.taken = last
  }

  /** The number of the newest event taken. */
  get last(): number {
    return this.taken
  }

  /**
   * Takes an event; ignores one that it has taken before.
   * @throws if numbers are missing before it, or an earlier event could not be stored
   */
  async add(event: JobEvent): Promise<void> {
    if (this.failure) throw this.failure
    if (event.number <= this.taken) return
    if (event.number !== this.taken + 1)
      throw new Error(`event ${event.number} came after ${this.taken}: some are missing`)
    this.taken = event.number
    this.waiting.push({ ...event, at: nowMicros() })
    this.writing ??= this.write()
    if (this.waiting.length > AHEAD) await this.flush()
  }

  /** Counts an event that the caller stores. @returns false if it is not the next one */
  count(number: number): boolean {
    if (number !== this.taken + 1) return false
    this.taken = number
    return true
  }

  /** Resolves when every event taken is stored. */
  async flush(): Promise<void> {
    this.flushing++
    this.hurry?.()
    while (this.writing) await this.writing
    this.flushing--
    if (this.failure) throw this.failure
  }

  private async gather(): Promise<void> {
    const rest = this.wroteAt + APART_MS - performance.now()
    if (this.flushing > 0 || rest <= 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, rest)
      this.hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.hurry = undefined
  }

  private async write(): Promise<void> {
    try {
      while (this.waiting.length > 0 && !this.failure) {
        await this.gather()
        const part = this.waiting
        this.waiting = []
        this.wroteAt = performance.now()
        await retryWhileAway(() => addEvents(this.store, this.job, this.attempt, part), this.signal)
      }
    } catch (error) {
      this.failure = error
    } finally {
      this.writing = undefined
    }
  }
}
