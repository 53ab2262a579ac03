/**
 * Consumes the queue of one base model: as many jobs at once as the worker's nodes can run, none while no node is up.
 * A job stays active in BullMQ until it is answered. Doesn't know what a job does.
 */
import { type Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { type ChatJob, chatJob } from '../domain/chat/chat-job.js'
import { chatQueueName, QUEUE_PREFIX } from '../platform/redis/names.js'
import { waitingJobs } from '../platform/redis/queue-length.js'
import { spanOf } from '../platform/telemetry/tracing.js'
import { jobSpan } from '../platform/telemetry/tracing-spans.js'

/** The delay before the next try after a Redis error; BullMQ's default is 15 s. */
const RETRY_MS = 200
/** A worker loses its jobs when it hasn't renewed their locks for this long. */
const LOCK_MS = 30_000

export class Consumer {
  readonly queue: string
  private readonly worker: Worker

  /**
   * @param redis a retrying connection; BullMQ opens another one for blocking commands
   * @param work resolves when the job is answered, successfully or not
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
      // The dispatcher requeues lost jobs itself, and sooner.
      maxStalledCount: 0,
      runRetryDelay: RETRY_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    })
    this.worker.on('error', failed)
  }

  /** Runs up to `count` jobs at once; 0 pauses. */
  async widen(count: number): Promise<void> {
    const { worker } = this
    if (worker.closing) return
    if (count === 0) return worker.pause(true)
    const more = count > worker.concurrency
    worker.concurrency = count
    // BullMQ reads its concurrency only when a job ends or the worker resumes.
    if (more && worker.isRunning()) await worker.pause(true)
    if (worker.isPaused()) await worker.resume()
    else if (!worker.isRunning()) void worker.run().catch(() => undefined)
  }

  /** Counts jobs that no worker has taken. */
  waiting(): Promise<number> {
    return waitingJobs(this.redis, this.queue)
  }

  /** Stops taking jobs; resolves when every taken job is answered. */
  close(): Promise<void> {
    return this.worker.close()
  }

  private async process({ data, timestamp }: Job): Promise<void> {
    const job = chatJob.safeParse(data)
    // The job is from another release. Its sender gets no answer and times out.
    if (!job.success) return this.failed(new Error(`a job in ${this.queue} has an unknown form`))
    const span = jobSpan(this.queue, job.data.trace, timestamp)
    await spanOf(span, () => this.work(job.data)).catch(this.failed)
  }
}
