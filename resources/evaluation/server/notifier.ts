/**
 * Notifies workers of new evaluations, and knows whether there are any. A lost notification costs only seconds, since
 * workers poll the table of jobs.
 */
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import {
  EVALUATION_QUEUE,
  type EvaluationQueueJob,
  queueJobOptions,
} from '../../../domain/evaluation/queue-job.js'
import { failFastConnection, whyAway } from '../../../platform/redis/connection.js'
import { QUEUE_PREFIX } from '../../../platform/redis/names.js'
import { currentSpan } from '../../../platform/telemetry/tracing.js'

export interface EvaluationQueue {
  /** as in REDIS_URL */
  url: string
  /** this process starts a worker of its own, which may not be connected yet */
  ownWorker: boolean
}

export class EvaluationNotifier {
  private readonly redis: Redis
  private readonly queue: Queue

  constructor(private readonly options: EvaluationQueue) {
    const { url } = options
    this.redis = failFastConnection(url)
    this.queue = new Queue(EVALUATION_QUEUE, { connection: this.redis, prefix: QUEUE_PREFIX })
    // The caller of `add` gets the error.
    this.queue.on('error', () => undefined)
  }

  /** Never fails; no need to await it. */
  async notify(project: string, id: string): Promise<void> {
    const trace = currentSpan()?.traceparent
    const job: EvaluationQueueJob = { v: 1, project, id, ...(trace !== undefined && { trace }) }
    await this.queue.add('run', job, queueJobOptions(job)).catch(() => undefined)
  }

  /** Why no worker would take an evaluation now; undefined: one would. */
  async whyNobody(): Promise<string | undefined> {
    const away = await whyAway(this.redis)
    if (away !== undefined) return away
    if (this.options.ownWorker) return undefined
    // A Redis that forbids CLIENT LIST tells nobody who is connected.
    const workers = await this.queue.getWorkersCount().catch(() => 1)
    return workers > 0 ? undefined : 'no evaluation worker is connected; start `heddle evaluation-worker`'
  }

  async close(): Promise<void> {
    await this.queue.close().catch(() => undefined)
    this.redis.disconnect()
  }
}
