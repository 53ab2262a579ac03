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

export class Line {
  readonly queue: string
  private readonly worker: Worker
  private readonly commands: Redis

  /**
   * @param redis patient; the line makes a connection of its own to wait on
   * @param work resolves when the job is answered, in whatever way
   */
  constructor(
    readonly model: string,
    redis: Redis,
    work: (job: ChatJob) => Promise<void>,
    failed: (error: unknown) => void,
  ) {
    this.queue = chatQueueName(model)
    this.commands = redis
    this.worker = new Worker(
      this.queue,
      async ({ data, timestamp }) => {
        const job = chatJob.safeParse(data)
        // Of another release: who sent it hears nothing and gives up by itself.
        if (job.success) await spanOf(jobSpan(this.queue, job.data.trace, timestamp), () => work(job.data))
        else failed(new Error(`a job of an unknown form in ${this.queue}`))
      },
      {
        connection: redis,
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
    this.worker.on('error', failed)
  }

  /** Takes up to `count` jobs at once; 0: none. */
  async widen(count: number): Promise<void> {
    if (count === 0) return this.worker.pause(true)
    this.worker.concurrency = count
    if (this.worker.isPaused()) await this.worker.resume()
    else if (!this.worker.isRunning()) void this.worker.run().catch(() => undefined)
  }

  /** Jobs that nobody has taken. */
  async waiting(): Promise<number> {
    const key = `${QUEUE_PREFIX}:${this.queue}`
    const [plain, ordered] = await Promise.all([
      this.commands.llen(`${key}:wait`),
      this.commands.zcard(`${key}:prioritized`),
    ])
    return plain + ordered
  }

  /** Takes no more; resolves when every job that was taken is answered. */
  async close(): Promise<void> {
    await this.worker.close()
  }

  /** Ends without waiting for anything. */
  async abandon(): Promise<void> {
    await this.worker.close(true)
  }
}
