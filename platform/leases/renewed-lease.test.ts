import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { promptConnection } from '../redis/connection.js'
import { TestRedis } from '../testing/redis.js'
import { LastingLease } from './renewed-lease.js'

let server: TestRedis
let redis: Redis
beforeAll(async () => {
  server = await TestRedis.start()
  redis = promptConnection(server.url)
  await new Promise((resolve) => redis.once('ready', resolve))
})
afterAll(async () => {
  redis?.disconnect()
  await server?.stop()
})

it('has one holder, and another one when it is let go', async () => {
  const first = await LastingLease.take(redis, 'a')
  expect(first?.sure).toBe(true)
  expect(await LastingLease.take(redis, 'a')).toBeUndefined()
  expect(await LastingLease.take(redis, 'b')).toBeDefined()
  await first!.release()
  const second = await LastingLease.take(redis, 'a')
  // Who let go of it does not let go of the other one's.
  await first!.release()
  expect(await LastingLease.take(redis, 'a')).toBeUndefined()
  await second!.release()
})

it('is lost when Redis says that another one has it', async () => {
  const mine = await LastingLease.take(redis, 'c')
  await redis.set('heddle:lasting:c', 'another')
  await new Promise((resolve) => mine!.signal.addEventListener('abort', resolve))
  expect(mine!.sure).toBe(false)
})

it('outlives a Redis that forgot everything', async () => {
  const mine = await LastingLease.take(redis, 'd')
  await redis.flushall()
  for (let found = 0; found === 0; ) found = await redis.exists('heddle:lasting:d')
  expect(mine!.sure).toBe(true)
  await mine!.release()
})
