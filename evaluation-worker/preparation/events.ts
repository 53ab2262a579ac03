/**
 * The events of a job before it is trained, written one after the other, so that a reader who pages by numbers misses none.
 * Who goes on after another worker reads here what is done already.
 */
import { addEvents, type EventType, eventsAfter, type JobEvent } from '../../domain/training/events.js'
import type { JobRow } from '../../domain/training/jobs.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { retryWhileAway } from '../../platform/retry/while-away.js'
import { nowMicros } from '../../platform/time/iso.js'
import { Stopped } from '../failure.js'

export interface PreparationEvent {
  type: EventType
  data: Record<string, unknown>
  /** µs since 1970 */
  at: number
}

const PAGE = 1000

export class PreparationEvents {
  private writing: Promise<unknown> = Promise.resolve()

  private constructor(
    private readonly store: Store,
    private readonly job: JobRow,
    private readonly ours: () => boolean,
    /** those that are stored, in order */
    readonly all: PreparationEvent[],
  ) {}

  /** @param ours false: another worker may have the job by now */
  static async read(store: Store, job: JobRow, ours: () => boolean): Promise<PreparationEvents> {
    const all: PreparationEvent[] = []
    for (;;) {
      const page = await eventsAfter(store, job, all.length, PAGE)
      for (const { type, data, created_at: at } of page)
        all.push({ type, data: JSON.parse(data) as Record<string, unknown>, at: Number(at) })
      if (page.length < PAGE) return new PreparationEvents(store, job, ours, all)
    }
  }

  /** Resolves when the event is stored; waits for a store that is away. @throws Stopped if the job is no longer ours */
  add(type: EventType, data: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const written = this.writing.then(async () => {
      if (!this.ours()) throw new Stopped('another worker may have it')
      const at = nowMicros()
      const event: JobEvent = { number: this.all.length + 1, type, data, at }
      await retryWhileAway(() => addEvents(this.store, this.job, this.job.attempt, [event]), signal)
      this.all.push({ type, data, at })
    })
    this.writing = written.catch(() => undefined)
    return written
  }
}
