/** Who would run an evaluation, as a real Redis tells it. */
import { Worker } from 'bullmq'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EVALUATION_QUEUE } from '../../../domain/evaluation/queue-job.js'
import { retryingConnection } from '../../../platform/redis/connection.js'
import { QUEUE_PREFIX } from '../../../platform/redis/names.js'
import { TestRedis } from '../../../platform/testing/redis.js'
import { EvaluationNotifier } from './notifier.js'

let redis: TestRedis
let others: EvaluationNotifier
let own: EvaluationNotifier
beforeAll(async () => {
  redis = await TestRedis.start()
  others = new EvaluationNotifier({ url: redis.url, ownWorker: false })
  own = new EvaluationNotifier({ url: redis.url, ownWorker: true })
})
afterAll(async () => {
  await Promise.all([others.close(), own.close()])
  await redis.stop()
})

const eventually = (notifier: EvaluationNotifier) =>
  expect.poll(() => notifier.whyNobody(), { timeout: 60_000, interval: 50 })

it('is nobody while no worker is connected, and a worker of this process all the same', async () => {
  await eventually(others).toContain('start `heddle evaluation-worker`')
  await eventually(own).toBeUndefined()
})

it('is a worker that is connected, and nobody without Redis', async () => {
  const connection = retryingConnection(redis.url)
  const worker = new Worker(EVALUATION_QUEUE, async () => undefined, { connection, prefix: QUEUE_PREFIX })
  worker.on('error', () => undefined)
  await eventually(others).toBeUndefined()
  await redis.kill()
  for (const notifier of [others, own]) await eventually(notifier).toContain('check REDIS_URL')
  await redis.up()
  await eventually(others).toBeUndefined()
  await worker.close()
  connection.disconnect()
})
