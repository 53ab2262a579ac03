/**
 * The queue of one base model as a worker takes from it: as many jobs at once as its nodes can do, none while no node
 * is up. Knows nothing of what is done with a job.
 */
import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { type ChatJob, chatJob } from '../common/queues/chat-job.js'
import { chatQueueName, QUEUE_PREFIX } from '../common/queues/names.js'
import { spanOf } from '../common/telemetry/tracing.js'
import { jobSpan } from '../common/telemetry/tracing-spans.js'

/** After an error of Redis the next try comes so soon; the library's own default is 15 s. */
const RETRY_MS = 200
/** A worker that says nothing for so long has lost its jobs. */
const LOCK_MS = 30_000

/** One taker fetches one job a round trip: so many fetch beside each other, or a burst of jobs would stand in line. */
const TAKERS = 4

export class Line {
  readonly queue: string
  private readonly takers: Worker[] = []
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
    await Promise.all(
      Array.from({ length: TAKERS }, (_, i) => {
        const share = Math.floor(count / TAKERS) + (i < count % TAKERS ? 1 : 0)
        if (share === 0) return this.takers[i]?.pause(true)
        this.takers[i] ??= this.taker()
        return resume(this.takers[i], share)
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
    await Promise.all(this.takers.map((taker) => taker.close()))
  }

  /** Ends without waiting for anything. */
  async abandon(): Promise<void> {
    this.closing = true
    await Promise.all(this.takers.map((taker) => taker.close(true)))
  }

  private taker(): Worker {
    const taker = new Worker(
      this.queue,
      async ({ data, timestamp }) => {
        const job = chatJob.safeParse(data)
        // Of another release: who sent it hears nothing and gives up by itself.
        if (job.success)
          await spanOf(jobSpan(this.queue, job.data.trace, timestamp), () => this.work(job.data))
        else this.failed(new Error(`a job of an unknown form in ${this.queue}`))
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

async function resume(taker: Worker, count: number): Promise<void> {
  taker.concurrency = count
  if (taker.isPaused()) await taker.resume()
  else if (!taker.isRunning()) void taker.run().catch(() => undefined)
}
