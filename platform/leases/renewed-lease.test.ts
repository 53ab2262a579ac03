import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { failFastConnection } from '../redis/connection.js'
import { TestRedis } from '../testing/redis.js'
import { RenewedLease } from './renewed-lease.js'

let server: TestRedis
let redis: Redis
beforeAll(async () => {
  server = await TestRedis.start()
  redis = failFastConnection(server.url)
  await new Promise((resolve) => redis.once('ready', resolve))
})
afterAll(async () => {
  redis?.disconnect()
  await server?.stop()
})

it('has one holder, and another one when it is let go', async () => {
  const first = await RenewedLease.take(redis, 'a')
  expect(first?.sure).toBe(true)
  expect(await RenewedLease.take(redis, 'a')).toBeUndefined()
  expect(await RenewedLease.take(redis, 'b')).toBeDefined()
  await first!.release()
  const second = await RenewedLease.take(redis, 'a')
  // Who let go of it does not let go of the other one's.
  await first!.release()
  expect(await RenewedLease.take(redis, 'a')).toBeUndefined()
  await second!.release()
})

it('is lost when Redis says that another one has it', async () => {
  const mine = await RenewedLease.take(redis, 'c')
  await redis.set('heddle:lasting:c', 'another')
  await new Promise((resolve) => mine!.signal.addEventListener('abort', resolve))
  expect(mine!.sure).toBe(false)
})

it('outlives a Redis that forgot everything', async () => {
  const mine = await RenewedLease.take(redis, 'd')
  await redis.flushall()
  for (let found = 0; found === 0; ) found = await redis.exists('heddle:lasting:d')
  expect(mine!.sure).toBe(true)
  await mine!.release()
})
