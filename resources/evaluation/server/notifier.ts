/** Notifies workers of new evaluations. A lost notification costs only seconds, since workers poll the table of jobs. */
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import {
  EVALUATION_QUEUE,
  type EvaluationQueueJob,
  queueJobOptions,
} from '../../../domain/evaluation/queue-job.js'
import { failFastConnection } from '../../../platform/redis/connection.js'
import { QUEUE_PREFIX } from '../../../platform/redis/names.js'
import { currentSpan } from '../../../platform/telemetry/tracing.js'

export class EvaluationNotifier {
  private readonly redis: Redis
  private readonly queue: Queue

  /** @param url as in REDIS_URL */
  constructor(url: string) {
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

  async close(): Promise<void> {
    await this.queue.close().catch(() => undefined)
    this.redis.disconnect()
  }
}
