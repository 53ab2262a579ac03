/**
 * The queue of one base model as a worker takes from it: as many jobs at once as its nodes can do, none while no node
 * is up. A job is active in BullMQ until it is answered. Knows nothing of what is done with a job.
 */
import { type Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { type ChatJob, chatJob } from '../domain/chat/chat-job.js'
import { chatQueueName, QUEUE_PREFIX } from '../platform/redis/names.js'
import { waitingJobs } from '../platform/redis/queue-length.js'
import { spanOf } from '../platform/telemetry/tracing.js'
import { jobSpan } from '../platform/telemetry/tracing-spans.js'

/** After an error of Redis the next try comes so soon; the library's own default is 15 s. */
const RETRY_MS = 200
/** A worker that has not renewed the locks of its jobs for so long has lost them. */
const LOCK_MS = 30_000

export class Consumer {
  readonly queue: string
  private readonly worker: Worker

  /**
   * @param redis a retrying connection; BullMQ opens another one to wait on
   * @param work resolves when the job is answered, in whatever way
   */
  constructor(
    readonly model: string,
    private readonly redis: Redis,
    private readonly work: (job: ChatJob) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {
    this.queue = chatQueueName(model)
    this.worker = new Worker(this.queue, (job) => this.process(job), {
      connection: redis,
      prefix: QUEUE_PREFIX,
      autorun: false,
      lockDuration: LOCK_MS,
      // The dispatcher queues a lost job again by itself, and sooner.
      maxStalledCount: 0,
      runRetryDelay: RETRY_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    })
    this.worker.on('error', failed)
  }

  /** Takes up to `count` jobs at once; 0: none. */
  async widen(count: number): Promise<void> {
    const { worker } = this
    if (worker.closing) return
    if (count === 0) return worker.pause(true)
    const more = count > worker.concurrency
    worker.concurrency = count
    // BullMQ looks at its concurrency when a job ends, or when it is resumed.
    if (more && worker.isRunning()) await worker.pause(true)
    if (worker.isPaused()) await worker.resume()
    else if (!worker.isRunning()) void worker.run().catch(() => undefined)
  }

  /** Jobs that nobody has taken. */
  waiting(): Promise<number> {
    return waitingJobs(this.redis, this.queue)
  }

  /** Takes no more; resolves when every job that was taken is answered. */
  close(): Promise<void> {
    return this.worker.close()
  }

  private async process({ data, timestamp }: Job): Promise<void> {
    const job = chatJob.safeParse(data)
    // Of another release: its sender hears nothing and gives up by itself.
    if (!job.success) return this.failed(new Error(`a job of an unknown form in ${this.queue}`))
    const span = jobSpan(this.queue, job.data.trace, timestamp)
    await spanOf(span, () => this.work(job.data)).catch(this.failed)
  }
}
