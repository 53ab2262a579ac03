/**
 * The queue of one base model as a worker takes from it: as many jobs at once as its nodes can do, none while no node
 * is up. A job has left the queue when it is taken: from then on its worker and who waits for the answer look after it
 * between themselves. Knows nothing of what is done with a job.
 */
import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { type ChatJob, chatJob } from '../domain/chat/chat-job.js'
import { chatQueueName, QUEUE_PREFIX } from '../platform/redis/names.js'
import { spanOf } from '../platform/telemetry/tracing.js'
import { jobSpan } from '../platform/telemetry/tracing-spans.js'
import { Slots } from './slots.js'

/** After an error of Redis the next try comes so soon; the library's own default is 15 s. */
const RETRY_MS = 200
/** A worker that says nothing for so long has lost its jobs. */
const LOCK_MS = 30_000

/** One taker fetches one job a round trip: so many fetch beside each other, or a burst of jobs would stand in line. */
const TAKERS = 4

export class Consumer {
  readonly queue: string
  private readonly takers: Worker[] = []
  private readonly slots = new Slots()
  private closing = false

  /**
   * @param redis patient; each taker makes a connection of its own to wait on
   * @param work resolves when the job is answered, in whatever way
   */
  constructor(
    readonly model: string,
    private readonly redis: Redis,
    private readonly work: (job: ChatJob) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {
    this.queue = chatQueueName(model)
  }

  /** Takes up to `count` jobs at once; 0: none. */
  async widen(count: number): Promise<void> {
    if (this.closing) return
    this.slots.set(count, Math.min(count, TAKERS))
    await Promise.all(
      Array.from({ length: TAKERS }, (_, i) => {
        if (i >= count) return this.takers[i]?.pause(true)
        this.takers[i] ??= this.taker()
        return resume(this.takers[i])
      }),
    )
  }

  /** Jobs that nobody has taken. */
  async waiting(): Promise<number> {
    const key = `${QUEUE_PREFIX}:${this.queue}`
    const [plain, ordered] = await Promise.all([
      this.redis.llen(`${key}:wait`),
      this.redis.zcard(`${key}:prioritized`),
    ])
    return plain + ordered
  }

  /** Takes no more; resolves when every job that was taken is answered. */
  async close(): Promise<void> {
    this.closing = true
    // Who waits for a place is let go, or it would never be closed.
    this.slots.set(Number.POSITIVE_INFINITY, TAKERS)
    await Promise.all(this.takers.map((taker) => taker.close()))
    await this.slots.empty()
  }

  /** Ends without waiting for anything. */
  async abandon(): Promise<void> {
    this.closing = true
    this.slots.set(Number.POSITIVE_INFINITY, TAKERS)
    await Promise.all(this.takers.map((taker) => taker.close(true)))
  }

  private taker(): Worker {
    const taker = new Worker(
      this.queue,
      async ({ data, timestamp }) => {
        const job = chatJob.safeParse(data)
        // Of another release: who sent it hears nothing and gives up by itself.
        if (!job.success) return this.failed(new Error(`a job of an unknown form in ${this.queue}`))
        this.slots.take()
        const span = jobSpan(this.queue, job.data.trace, timestamp)
        void spanOf(span, () => this.work(job.data))
          .catch(this.failed)
          .finally(() => this.slots.leave())
        // The next one is fetched with the end of this one, so there has to be a place for it.
        await this.slots.free()
      },
      {
        connection: this.redis,
        prefix: QUEUE_PREFIX,
        concurrency: 1,
        autorun: false,
        lockDuration: LOCK_MS,
        // Who waits for the answer queues a lost job again by himself, and sooner.
        maxStalledCount: 0,
        runRetryDelay: RETRY_MS,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
    )
    taker.on('error', this.failed)
    return taker
  }
}

async function resume(taker: Worker): Promise<void> {
  if (taker.isPaused()) await taker.resume()
  else if (!taker.isRunning()) void taker.run().catch(() => undefined)
}
