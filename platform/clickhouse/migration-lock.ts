/**
 * A lock between migrators that needs only a small table. A migrator inserts a claim and then reads all live claims: if
 * it is alone, it holds the lock; otherwise it withdraws and retries after a random delay. A claim is committed before
 * its owner looks, so two migrators never both find themselves alone. Claims expire by the store's clock, so a killed
 * migrator blocks the next one for seconds at most; where that clock was set back, after one lease without a renewal.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bind, sql } from './sql.js'
import type { Store } from './store.js'

const LEASE_SECONDS = 15
const RENEW_MS = 4_000

/** A cluster must read claims back as written; a single server always does. */
export const LINEAR = {
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  select_sequential_consistency: '1',
} as const

export interface LockOptions {
  /** how long to wait for another migrator, in ms */
  timeoutMs: number
  /** called once, if another migrator holds the lock */
  waiting?: () => void
}

/**
 * Runs `work` while holding the lock, then releases it.
 * @param work gets a check to call before each step; it throws if the lock was lost
 * @throws if another migrator holds the lock for longer than `timeoutMs`
 */
export async function withMigrationLock<T>(
  store: Store,
  options: LockOptions,
  work: (check: () => void) => Promise<T>,
): Promise<T> {
  const claim = new Claim(store)
  await acquire(claim, options)
  const renewal = setInterval(() => void claim.write(LEASE_SECONDS).catch(() => undefined), RENEW_MS)
  try {
    return await work(() => {
      if (!claim.live)
        throw new Error('the migration lock was lost: the store did not answer in time; migrate again')
    })
  } finally {
    clearInterval(renewal)
    await claim.write(0).catch(() => undefined)
  }
}

async function acquire(claim: Claim, { timeoutMs, waiting }: LockOptions): Promise<void> {
  const until = performance.now() + timeoutMs
  for (let told = false; ; ) {
    // Look first, so that waiting processes don't disturb each other and the holder with claims.
    if (!(await claim.others())) {
      await claim.write(LEASE_SECONDS)
      if (!(await claim.others()) && claim.live) return
      await claim.write(0)
    }
    if (!told) waiting?.()
    told = true
    if (performance.now() > until) {
      throw new Error('another migrator holds the lock; wait for it to end, then migrate again')
    }
    await sleep(100 + Math.random() * 400)
  }
}

/** One migrator's claim. */
class Claim {
  private readonly owner = randomBytes(16).toString('hex')
  private turn = 0
  /** when this process first saw each claim of others, by its own clock */
  private readonly seen = new Map<string, number>()
  /** by this process's clock, counted from before the claim was sent, so earlier than the store's */
  private deadline = 0

  constructor(private readonly store: Store) {}

  get live(): boolean {
    return performance.now() < this.deadline
  }

  /** Claims for `seconds` from now; 0 withdraws. */
  async write(seconds: number): Promise<void> {
    const asked = performance.now()
    const until = sql`now64(6) + toIntervalSecond(${bind.uint(seconds)})`
    await this.store.run(
      sql`INSERT INTO migration_lock (owner, turn, expires_at)
          SELECT ${bind.string(this.owner)}, toUInt32(${bind.uint(++this.turn)}), ${until}`,
      { settings: LINEAR },
    )
    this.deadline = asked + seconds * 1000
  }

  /** True if another migrator claims the lock. */
  async others(): Promise<boolean> {
    const found = await this.store.rows<{ owner: string; last: number }>(
      sql`SELECT owner, max(turn) AS last FROM migration_lock WHERE owner != ${bind.string(this.owner)}
          GROUP BY owner HAVING argMax(expires_at, turn) > now64(6)`,
      { settings: LINEAR },
    )
    const now = performance.now()
    // Its owner would have renewed it meanwhile.
    const isDead = ({ owner, last }: (typeof found)[number]) => {
      const claim = `${owner} ${last}`
      const since = this.seen.get(claim) ?? now
      this.seen.set(claim, since)
      return now - since > LEASE_SECONDS * 1000
    }
    return !found.every(isDead)
  }
}
