/** The same promises on a real cluster of three and behind a real sentinel. */
import { once } from 'node:events'
import { Queue, Worker } from 'bullmq'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RedisLeases } from '../leases/redis.js'
import { TestRedisServers } from '../testing/redis-servers.js'
import { failFastConnection, retryingConnection } from './connection.js'
import { QUEUE_PREFIX } from './names.js'

const servers = new TestRedisServers()
afterAll(() => servers.stop())

describe.each([
  ['a cluster', () => servers.cluster()],
  ['a sentinel', () => servers.sentinel()],
])('behind %s', (_, start) => {
  let url = ''
  beforeAll(async () => {
    url = await start()
  })

  it('leases have one holder and fences that grow', async () => {
    const leases = [new RedisLeases(url), new RedisLeases(url)]
    const fences: bigint[] = []
    let inside = 0
    const work = async (fence: bigint) => {
      expect(++inside).toBe(1)
      fences.push(fence)
      await new Promise((resolve) => setImmediate(resolve))
      inside--
    }
    await Promise.all(Array.from({ length: 10 }, (_, n) => leases[n % 2]!.hold('one', work)))
    expect(fences).toEqual([...fences].sort((a, b) => (a < b ? -1 : 1)))
    await Promise.all(leases.map((one) => one.close()))
  })

  it('a queue’s job is done, and a message reaches who listens', async () => {
    const listener = failFastConnection(url)
    const sender = retryingConnection(url)
    if (listener.status !== 'ready') await once(listener, 'ready')
    await listener.subscribe('news')
    const heard = once(listener, 'message')
    const queue = new Queue('kinds', { connection: sender, prefix: QUEUE_PREFIX })
    const worker = new Worker('kinds', async ({ data }) => data.n + 1, {
      connection: retryingConnection(url),
      prefix: QUEUE_PREFIX,
    })
    const done = once(worker, 'completed')
    await queue.add('one', { n: 1 })
    expect((await done)[1]).toBe(2)
    await sender.publish('news', 'hello')
    expect(await heard).toEqual(['news', 'hello'])
    await Promise.all([worker.close(), queue.close()])
    for (const connection of [listener, sender]) connection.disconnect()
  })
})
