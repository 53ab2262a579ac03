import type { Redis } from 'ioredis'
import { QUEUE_PREFIX } from './names.js'

/** Jobs of `queue` that no worker has taken. */
export async function waitingJobs(redis: Redis, queue: string): Promise<number> {
  const key = `${QUEUE_PREFIX}:${queue}`
  const [plain, prioritized] = await Promise.all([
    redis.llen(`${key}:wait`),
    redis.zcard(`${key}:prioritized`),
  ])
  return plain + prioritized
}
