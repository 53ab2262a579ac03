/**
 * What a job tells, on its way into the tables: in the order of its numbers, many in one insert where they come faster
 * than that, none twice. Waits for a store that is away. Knows nothing of nodes.
 */
import type { Store } from '../common/clickhouse/store.js'
import { addEvents, type JobEvent } from '../common/training/events.js'
import type { JobKey } from '../common/training/jobs.js'
import { patiently } from './patiently.js'

/** Events that wait for the store; the node waits with them. */
const AHEAD = 500

export class Journal {
  private waiting: JobEvent[] = []
  private writing: Promise<void> | undefined
  private failure: unknown
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

  /** The number of the newest event that was taken. */
  get last(): number {
    return this.taken
  }

  /** Takes an event; one that was taken before is passed over. @throws if numbers are missing before it */
  async add(event: JobEvent): Promise<void> {
    if (event.number <= this.taken) return
    if (event.number !== this.taken + 1)
      throw new Error(`event ${event.number} came after ${this.taken}: some are missing`)
    this.taken = event.number
    this.waiting.push(event)
    this.writing ??= this.write()
    if (this.waiting.length > AHEAD) await this.flush()
  }

  /** Counts an event that another one stores, when it may. */
  count(number: number): boolean {
    if (number !== this.taken + 1) return false
    this.taken = number
    return true
  }

  /** Resolves when everything that was taken is stored. */
  async flush(): Promise<void> {
    while (this.writing) await this.writing
    if (this.failure) throw this.failure
  }

  private async write(): Promise<void> {
    try {
      while (this.waiting.length > 0 && !this.failure) {
        const part = this.waiting
        this.waiting = []
        await patiently(() => addEvents(this.store, this.job, this.attempt, part), this.signal)
      }
    } catch (error) {
      this.failure = error
    } finally {
      this.writing = undefined
    }
  }
}
