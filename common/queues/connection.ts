/** Connections to Redis for queues and channels. Knows nothing of what goes over them. */
import { Redis } from 'ioredis'

const LONGEST_WAIT_MS = 500

/**
 * For those whom a caller waits for: what can't be sent now fails at once. Reconnects for ever, and subscribes to
 * nothing by itself then.
 * @param url as in REDIS_URL
 */
export function promptConnection(url: string): Redis {
  return quiet(
    new Redis(url, {
      ...lasting,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
      autoResubscribe: false,
    }),
  )
}

/** For those who have time: what can't be sent now is sent when Redis is back. */
export function patientConnection(url: string): Redis {
  return quiet(new Redis(url, { ...lasting, maxRetriesPerRequest: null }))
}

const lasting = { retryStrategy: (times: number) => Math.min(20 * 2 ** Math.min(times, 10), LONGEST_WAIT_MS) }

function quiet(redis: Redis): Redis {
  // Without a listener a lost connection would end the process; whoever sends something hears of it.
  redis.on('error', () => undefined)
  return redis
}
