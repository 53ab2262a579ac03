import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChatJob } from '../domain/chat/chat-job.js'
import { retryingConnection } from '../platform/redis/connection.js'
import { QUEUE_PREFIX } from '../platform/redis/names.js'
import { TestRedis } from '../platform/testing/redis.js'
import { Consumer } from './consumer.js'

let server: TestRedis
let redis: Redis
beforeAll(async () => {
  server = await TestRedis.start()
  redis = retryingConnection(server.url)
})
afterAll(async () => {
  redis?.disconnect()
  await server?.stop()
})

/** A queue with `count` jobs, and a consumer whose jobs end when they are told to. */
async function jobs(model: string, count: number) {
  const running: (() => void)[] = []
  let began = 0
  const consumer = new Consumer(
    model,
    redis,
    () => {
      began++
      return new Promise<void>((resolve) => running.push(resolve))
    },
    () => undefined,
  )
  const queue = new Queue(consumer.queue, { connection: redis, prefix: QUEUE_PREFIX })
  for (let request = 0; request < count; request++) {
    const job: ChatJob = { v: 1, api: 'a', request, attempt: 0, deadline: 0, prefixes: [], generate: '' }
    await queue.add('chat', job, { jobId: `j${request}`, removeOnComplete: true, priority: 1 + request })
  }
  const close = async () => {
    const closing = consumer.close()
    for (const end of running.splice(0)) end()
    await closing
    await queue.close()
  }
  return { consumer, running, began: () => began, close }
}

it('takes as many jobs at once as it may, and the next one when one is answered', async () => {
  const { consumer, running, began, close } = await jobs('many', 9)
  await consumer.widen(4)
  await expect.poll(began).toBe(4)
  expect(await consumer.waiting()).toBe(5)
  running.shift()!()
  await expect.poll(began).toBe(5)
  expect(running.length).toBe(4)
  await close()
  expect(began()).toBe(5)
})

it('takes more while those that run go on, and none when it may have none', async () => {
  const { consumer, running, began, close } = await jobs('wider', 6)
  await consumer.widen(1)
  await expect.poll(began).toBe(1)
  await consumer.widen(3)
  await expect.poll(began).toBe(3)
  await consumer.widen(0)
  for (const end of running.splice(0)) end()
  await expect.poll(consumer.waiting.bind(consumer)).toBe(3)
  await consumer.widen(2)
  await expect.poll(began).toBe(5)
  await consumer.widen(1)
  running.shift()!()
  running.shift()!()
  await expect.poll(began).toBe(6)
  await close()
  expect(await consumer.waiting().catch(() => 0)).toBe(0)
})
