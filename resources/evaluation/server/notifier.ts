/** Rings for workers. A bell that can't be rung now is no loss: they look at the table of jobs themselves. */
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
    // Who rings hears of it.
    this.queue.on('error', () => undefined)
  }

  /** Never fails, and nobody needs to wait. */
  async ring(project: string, id: string): Promise<void> {
    const trace = currentSpan()?.traceparent
    const bell: EvaluationQueueJob = { v: 1, project, id, ...(trace !== undefined && { trace }) }
    await this.queue.add('run', bell, queueJobOptions(bell)).catch(() => undefined)
  }

  async close(): Promise<void> {
    await this.queue.close().catch(() => undefined)
    this.redis.disconnect()
  }
}
