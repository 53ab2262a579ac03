/**
 * A lease for work that takes long: held as long as its holder says so every few seconds, gone soon after its holder
 * died. Who can't be sure any more that it holds it is told at once, and stops. Knows nothing of the work.
 */
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'

/** A holder that dies blocks others no longer than this. */
const TTL_MS = 8000
const RENEW_MS = 2000
/** Who was told nothing for so long gives up, before another one can take it. */
const SURE_MS = 6000

/** Another holder: 0; else it is (again) ours. A Redis that lost everything takes the word of who comes first. */
const KEEP = `
local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

const LET_GO = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`

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

  /** Takes the lease called `name`, or says by undefined that another one has it. @throws what Redis throws */
  static async take(redis: Redis, name: string): Promise<RenewedLease | undefined> {
    const key = `heddle:lasting:${name}`
    const token = randomUUID()
    const asked = performance.now()
    const taken = await redis.set(key, token, 'PX', TTL_MS, 'NX')
    return taken === 'OK' ? new RenewedLease(redis, key, token, asked) : undefined
  }

  /** Aborted when it is, or may be, no longer ours. */
  get signal(): AbortSignal {
    return this.lost.signal
  }

  /** Whether nobody else can have it at this moment. */
  get sure(): boolean {
    return !this.lost.signal.aborted && performance.now() < this.sureUntil
  }

  async release(): Promise<void> {
    clearInterval(this.timer)
    // If Redis is gone it ends by itself.
    await this.redis.eval(LET_GO, 1, this.key, this.token).catch(() => undefined)
  }

  private async renew(): Promise<void> {
    const asked = performance.now()
    if (asked > this.sureUntil) return this.lose()
    try {
      if ((await this.redis.eval(KEEP, 1, this.key, this.token, TTL_MS)) === 1)
        this.sureUntil = asked + SURE_MS
      else this.lose()
    } catch {
      // The next turn, or the one after it, decides.
    }
  }

  private lose(): void {
    clearInterval(this.timer)
    this.lost.abort()
  }
}
