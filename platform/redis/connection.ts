/**
 * Connections to Redis for queues and channels: to one server, to the master that sentinels name, or to a cluster. Knows
 * nothing of what goes over them.
 */
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { waitAfter } from '../retry/backoff.js'
import { parseRedisUrl } from './redis-url.js'

const WAITS = { firstMs: 40, longestMs: 500 }

/**
 * For work that a caller waits for: what can't be sent now fails at once. Reconnects for ever, and subscribes to
 * nothing by itself then.
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

/** For background work: what can't be sent now is sent when Redis is back. */
export function retryingConnection(url: string): Redis {
  return openRedis(url, { ...lasting, maxRetriesPerRequest: null })
}

const lasting = { retryStrategy: (times: number) => waitAfter(times, WAITS) }

/** A connection that ends no process when it is lost: the sender of a command gets the error. */
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
    // In the cluster names are for inside; addresses that it tells are those to connect to.
    ...(tls && {
      dnsLookup: (host: string, done: (error: null, address: string) => void) => done(null, host),
    }),
  })
  // Both take the same commands and tell the same events, which is all that we and BullMQ ask of them.
  return cluster as Redis | Cluster as Redis
}
