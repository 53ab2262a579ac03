/**
 * Limits a key's requests and tokens per minute, counted in Redis so that the limits hold across processes. If Redis
 * loses its data, only the counts are lost.
 */
import type { Redis } from 'ioredis'
import { problems } from './problem.js'

const WINDOW_MS = 60_000

/**
 * A sliding window made of two fixed ones: the previous one counts by the part of it within the last minute. KEYS: the
 * counters of the current and the previous window. ARGV: the amount to add, the limit, the part of the previous window
 * that counts. Returns -1, or the amount used.
 */
const TAKE = `
local now = tonumber(redis.call('get', KEYS[1]) or '0')
local before = tonumber(redis.call('get', KEYS[2]) or '0')
local used = now + before * tonumber(ARGV[3])
if used >= tonumber(ARGV[2]) then return -1 end
if tonumber(ARGV[1]) > 0 then
  redis.call('incrby', KEYS[1], ARGV[1])
  redis.call('pexpire', KEYS[1], 120000)
end
return math.floor(used)`

export interface RateLimitOptions {
  /** 0: unlimited */
  requestsPerMinute: number
  tokensPerMinute: number
}

export class RateLimits {
  constructor(
    private readonly redis: Redis,
    private readonly options: RateLimitOptions,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts one request of `key`. @throws `RATE_LIMITED` (429), `QUEUES_AWAY` (503) */
  async admit(key: string): Promise<void> {
    const { requestsPerMinute, tokensPerMinute } = this.options
    // Tokens first: a request refused for tokens must not count as a request.
    if (tokensPerMinute > 0) await this.take(key, 'tokens', 0, tokensPerMinute)
    if (requestsPerMinute > 0) await this.take(key, 'requests', 1, requestsPerMinute)
  }

  /** Counts the tokens that a request of `key` used. Never throws. */
  async spend(key: string, tokens: number): Promise<void> {
    if (this.options.tokensPerMinute === 0 || tokens === 0) return
    const [counter] = this.keys(key, 'tokens')
    await this.redis
      .multi()
      .incrby(counter, tokens)
      .pexpire(counter, 2 * WINDOW_MS)
      .exec()
      .catch(() => undefined)
  }

  private async take(key: string, what: string, count: number, limit: number): Promise<void> {
    const into = this.now() % WINDOW_MS
    const left = 1 - into / WINDOW_MS
    const keys = this.keys(key, what)
    let used: unknown
    try {
      used = await this.redis.eval(TAKE, 2, ...keys, count, limit, left.toFixed(6))
    } catch (error) {
      throw problems.queuesAway(error)
    }
    if (used === -1) throw problems.rateLimited(what, limit, (WINDOW_MS - into) / 1000)
  }

  /** The counters of this minute and the last; one hash tag keeps them on one node of a Redis Cluster. */
  private keys(key: string, what: string): [string, string] {
    const minute = Math.floor(this.now() / WINDOW_MS)
    const name = (at: number) => `heddle:rate:{${key}}:${what}:${at}`
    return [name(minute), name(minute - 1)]
  }
}
