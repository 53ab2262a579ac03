/** Batches concurrent requests: while one batch runs, the next one collects items. */
import { asCaller, service } from '../fairness/caller.js'

interface Waiting<In, Out> {
  item: In
  resolve: (out: Out) => void
  reject: (error: unknown) => void
}

export interface BatcherOptions<In> {
  /** batches that run at once; 1 runs them one by one */
  concurrency?: number
  /** most items per batch */
  items?: number
  /** most weight per batch; a single item may exceed it */
  weight?: number
  weigh?: (item: In) => number
  /** minimum time from the end of a batch to the start of the next */
  gapMs?: number
}

/** A batch of at least this size indicates many concurrent callers. */
const BUSY = 4
const LINGER_MS = 2

export class Batcher<In, Out> {
  private readonly waiting: Waiting<In, Out>[] = []
  private running = 0
  private planned = false
  private lastSize = 0
  private endedAt = Number.NEGATIVE_INFINITY

  /** @param work returns a result per item, in order; if it throws, every item of the batch fails with that error */
  constructor(
    private readonly work: (items: readonly In[]) => Promise<readonly Out[]>,
    private readonly options: BatcherOptions<In> = {},
  ) {}

  ask(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject })
      this.plan()
    })
  }

  /**
   * Starts after this tick, so that items of one tick share a batch. After a batch that was not small it waits a moment
   * longer, since the callers just answered tend to ask again at about the same time.
   */
  private plan(): void {
    if (this.planned || this.waiting.length === 0 || this.running >= (this.options.concurrency ?? 1)) return
    this.planned = true
    const start = () => {
      this.planned = false
      void this.batch()
    }
    const gap = this.endedAt + (this.options.gapMs ?? 0) - performance.now()
    const wait = Math.max(gap, this.lastSize >= BUSY ? LINGER_MS : 0)
    if (wait > 0) setTimeout(start, wait)
    else setImmediate(start)
  }

  private async batch(): Promise<void> {
    const batch = this.waiting.splice(0, this.fitting())
    if (batch.length === 0) return
    this.lastSize = batch.length
    this.running++
    this.plan()
    try {
      // A batch has many callers; charge none of them for the others.
      const outs = await asCaller(service('gathered'), () => this.work(batch.map(({ item }) => item)))
      batch.forEach(({ resolve }, i) => void resolve(outs[i] as Out))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      this.running--
      this.endedAt = performance.now()
      this.plan()
    }
  }

  private fitting(): number {
    const { items = 256, weight = Number.POSITIVE_INFINITY, weigh } = this.options
    let count = 0
    let sum = 0
    for (const { item } of this.waiting) {
      sum += weigh?.(item) ?? 0
      if (count > 0 && (count >= items || sum > weight)) break
      count++
    }
    return count
  }
}
