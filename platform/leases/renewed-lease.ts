/**
 * A lease for long work: its holder renews it every few seconds, and it expires soon after the holder dies. A holder
 * that may have lost the lease is notified at once and stops.
 */
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'

/** A dead holder blocks others for at most this long. */
const TTL_MS = 8000
const RENEW_MS = 2000
/** A holder that could not renew for this long gives up, before another one can take the lease. */
const SURE_MS = 6000

/** Returns 0 if another holder has the lease, else takes or renews it. If Redis lost its data, the first one wins. */
const KEEP = `
local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`

const keyOf = (name: string) => `heddle:lasting:${name}`

export class RenewedLease {
  private readonly lost = new AbortController()
  private readonly timer: NodeJS.Timeout
  private sureUntil: number

  private constructor(
    private readonly redis: Redis,
    private readonly key: string,
    private readonly token: string,
    asked: number,
  ) {
    this.sureUntil = asked + SURE_MS
    this.timer = setInterval(() => void this.renew(), RENEW_MS)
  }

  /** Takes the lease called `name`; undefined if another holder has it. @throws what Redis throws */
  static async take(redis: Redis, name: string): Promise<RenewedLease | undefined> {
    const key = keyOf(name)
    const token = randomUUID()
    const asked = performance.now()
    const taken = await redis.set(key, token, 'PX', TTL_MS, 'NX')
    return taken === 'OK' ? new RenewedLease(redis, key, token, asked) : undefined
  }

  /** True if somebody has the lease called `name`. @throws what Redis throws */
  static async isHeld(redis: Redis, name: string): Promise<boolean> {
    return (await redis.exists(keyOf(name))) === 1
  }

  /** Takes the lease from its holder, who notices when it would renew it. @throws what Redis throws */
  static async revoke(redis: Redis, name: string): Promise<void> {
    await redis.set(keyOf(name), randomUUID(), 'PX', TTL_MS, 'XX')
  }

  /** Aborts when the lease is, or may be, lost. */
  get signal(): AbortSignal {
    return this.lost.signal
  }

  /** True if no other holder can have the lease at this moment. */
  get sure(): boolean {
    return !this.lost.signal.aborted && performance.now() < this.sureUntil
  }

  async release(): Promise<void> {
    clearInterval(this.timer)
    // If Redis is gone, the lease expires by itself.
    await this.redis.eval(RELEASE, 1, this.key, this.token).catch(() => undefined)
  }

  private async renew(): Promise<void> {
    const asked = performance.now()
    if (asked > this.sureUntil) return this.lose()
    try {
      if ((await this.redis.eval(KEEP, 1, this.key, this.token, TTL_MS)) === 1)
        this.sureUntil = asked + SURE_MS
      else this.lose()
    } catch {
      // One of the next renewals decides.
    }
  }

  private lose(): void {
    clearInterval(this.timer)
    this.lost.abort()
  }
}
