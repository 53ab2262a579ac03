/** Connections to Redis for queues and channels: to one server, to the master that sentinels name, or to a cluster. */
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { waitAfter } from '../retry/backoff.js'
import { parseRedisUrl } from './redis-url.js'

const WAITS = { firstMs: 40, longestMs: 500 }

/**
 * For work that a caller waits for: a command that can't be sent now fails at once. Reconnects for ever; does not
 * resubscribe by itself.
 * @param url as in REDIS_URL
 */
export function failFastConnection(url: string): Redis {
  return openRedis(url, {
    ...lasting,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResubscribe: false,
  })
}

/** Why nothing that needs Redis is done where none is known. Goes on after "This server … now: ". */
export const NO_REDIS = 'start it with chat, or with a REDIS_URL'

/** The same of a Redis that does not answer; undefined: it does. @param redis that fails fast */
export const whyAway = (redis: Redis): Promise<string | undefined> =>
  redis.ping().then(
    () => undefined,
    () => 'its Redis can not be reached; check REDIS_URL',
  )

/** For background work: commands that can't be sent now are sent when Redis is back. */
export function retryingConnection(url: string): Redis {
  return openRedis(url, { ...lasting, maxRetriesPerRequest: null })
}

const lasting = { retryStrategy: (times: number) => waitAfter(times, WAITS) }

/** A connection whose loss does not end the process: the sender of a command gets the error. */
export function openRedis(url: string, options: RedisOptions): Redis {
  const redis = made(url, options)
  redis.on('error', () => undefined)
  return redis
}

function made(url: string, options: RedisOptions): Redis {
  const address = parseRedisUrl(url)
  if (address.kind === 'server') return new Redis(url, options)
  const { username, password, tls } = address
  const access: RedisOptions = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: {} }),
  }
  if (address.kind === 'sentinel') {
    const { hosts, name, db } = address
    return new Redis({
      ...options,
      ...access,
      ...{ sentinels: hosts, name, db },
      ...(password !== undefined && { sentinelPassword: password }),
      ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
      ...(options.retryStrategy && { sentinelRetryStrategy: options.retryStrategy }),
    })
  }
  const { enableOfflineQueue = true, lazyConnect = false, retryStrategy, ...each } = options
  const cluster = new Cluster(address.hosts, {
    redisOptions: { ...each, ...access },
    enableOfflineQueue,
    lazyConnect,
    ...(retryStrategy && { clusterRetryStrategy: (times: number) => Number(retryStrategy(times)) }),
    // Host names may only work inside the cluster; connect to the addresses that it reports.
    ...(tls && {
      dnsLookup: (host: string, done: (error: null, address: string) => void) => done(null, host),
    }),
  })
  // Both have the same commands and events, which is all that we and BullMQ need.
  return cluster as Redis | Cluster as Redis
}
