/**
 * Leases across processes, on Redis: a key with an expiry, taken with NX and released only by its holder. Redis may
 * lose its data at any time: the fence then restarts from the clock, above all written ones.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { errors } from '../errors/catalog.js'
import { openRedis } from '../redis/connection.js'
import { clockFence, type Leases } from './lease.js'

/** A dead holder blocks others for at most this long. */
const TTL_MS = 10_000
const WAIT_MS = 15_000

/**
 * Takes the lease and raises the fence in one step; the fence never falls below the caller's clock. A holder that asks
 * again lost the connection before the answer.
 */
const TAKE = `
local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return false end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
local fence = tonumber(redis.call('get', KEYS[2]) or '0')
local clock = tonumber(ARGV[3])
if clock > fence then fence = clock else fence = fence + 1 end
redis.call('set', KEYS[2], string.format('%.0f', fence), 'EX', 86400)
return string.format('%.0f', fence)`

const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`

export class RedisLeases implements Leases {
  private readonly redis: Redis

  /** @param url address of the server, as in REDIS_URL */
  constructor(url: string) {
    this.redis = openRedis(url, { maxRetriesPerRequest: 2, enableOfflineQueue: true, lazyConnect: true })
  }

  async hold<T>(name: string, work: (fence: bigint) => Promise<T>): Promise<T> {
    // Both keys share a hash tag, so that a Redis Cluster keeps them on one node.
    const lock = `heddle:lease:{${name}}`
    const fenceKey = `${lock}:fence`
    const token = randomUUID()
    const fence = await this.take(lock, fenceKey, token)
    try {
      return await work(fence)
    } finally {
      // If Redis is gone, the lease expires by itself.
      await this.redis.eval(RELEASE, 1, lock, token).catch(() => undefined)
    }
  }

  async close(): Promise<void> {
    this.redis.disconnect()
  }

  private async take(lock: string, fenceKey: string, token: string): Promise<bigint> {
    const deadline = Date.now() + WAIT_MS
    for (let wait = 2; Date.now() < deadline; wait = Math.min(wait * 2, 200)) {
      let fence: unknown
      try {
        fence = await this.redis.eval(TAKE, 2, lock, fenceKey, token, TTL_MS, String(clockFence()))
      } catch (error) {
        throw errors.unavailable(error)
      }
      if (typeof fence === 'string') return BigInt(fence)
      await pause(wait * (0.5 + Math.random()))
    }
    throw errors.busy()
  }
}
