/**
 * The keys that are live, in memory: re-read every few seconds, so that a revoked key stops working in every process,
 * and asked for at once when one is new. Knows hashes only, and nothing of headers.
 */
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { Principal } from '../../platform/http/principal.js'
import { Lru } from '../../platform/lru/lru.js'
import { findKeys, type KeyRow, listKeys } from './key-table.js'

/** From the beginning of one reading to that of the next, and the most time that one may take. */
const REFRESH_MS = 3_000
/**
 * What was read is believed for so long and no longer: with the store away a key goes on working until then, and a
 * revoked key ends within 10 s whatever happens.
 */
const TRUST_MS = 9_000
/** An unknown key is not looked up again for so long. */
const UNKNOWN_MS = 5_000
const UNKNOWN_LIMIT = 10_000
/** Look-ups of unknown keys go in one statement at a time, no more often than this, so that guessing costs little. */
const LOOKUP_GAP_MS = 100
const LOOKUP_LIMIT = 500
/** After a look-up that failed, nobody else waits for one for so long. */
const AWAY_MS = 1_000

interface Known {
  principal: Principal
  /** when the store was asked, by this process's clock */
  readAt: number
}

interface Waiting {
  resolve: (principal: Principal) => void
  reject: (error: Error) => void
}

export class KeyRing {
  /** By hash of the key: a look-up tells by its time nothing of a key that it does not know. */
  private live = new Map<string, Known>()
  private usernames = new Map<string, string>()
  private readonly unknown = new Lru<number>(UNKNOWN_LIMIT)
  private readonly asked = new Map<string, Waiting[]>()
  private refreshing: NodeJS.Timeout | undefined
  private lookup: NodeJS.Timeout | undefined
  private lookedUpAt = Number.NEGATIVE_INFINITY
  private failedAt = Number.NEGATIVE_INFINITY
  private stopped = false

  /** @param store should have connections of its own: keys are read while everything else waits */
  constructor(private readonly store: Store) {}

  /** Reads the keys and goes on reading them. Throws if the store is away. */
  async start(): Promise<void> {
    await this.refresh()
    this.schedule()
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.refreshing)
    clearTimeout(this.lookup)
    for (const waiting of this.asked.values()) for (const { reject } of waiting) reject(errors.stopping())
    this.asked.clear()
  }

  /** Reads the keys now. */
  async refresh(): Promise<void> {
    const asked = performance.now()
    const rows = await listKeys(this.store, { signal: AbortSignal.timeout(REFRESH_MS) })
    this.live = new Map(rows.filter(isLive).map((row) => [row.hash, knownFrom(row, asked)]))
    this.usernames = new Map(rows.map(({ userId, username }) => [userId, username]))
  }

  /** Who holds the key with this hash, from memory; undefined: nobody that is known yet. */
  known(hash: string): Principal | undefined {
    const known = this.live.get(hash)
    return known && performance.now() - known.readAt < TRUST_MS ? known.principal : undefined
  }

  /**
   * Who holds the key with this hash, from the store.
   * @throws `BAD_KEY` if nobody does, `STORE_UNAVAILABLE` or `OVERLOADED` if that can't be said now
   */
  find(hash: string): Promise<Principal> {
    const since = this.unknown.get(hash)
    if (since !== undefined && performance.now() - since < UNKNOWN_MS) return Promise.reject(errors.badKey())
    if (this.stopped) return Promise.reject(errors.stopping())
    if (performance.now() - this.failedAt < AWAY_MS) return Promise.reject(errors.unavailable())
    return new Promise((resolve, reject) => {
      const waiting = this.asked.get(hash)
      if (waiting) return void waiting.push({ resolve, reject })
      if (this.asked.size >= LOOKUP_LIMIT) return reject(errors.overloaded())
      this.asked.set(hash, [{ resolve, reject }])
      if (this.asked.size === 1) this.scheduleLookup()
    })
  }

  /** The name of a user that ever had a key. */
  usernameOf(userId: string): string | undefined {
    return this.usernames.get(userId)
  }

  private schedule(): void {
    if (this.stopped) return
    this.refreshing = setTimeout(() => {
      this.schedule()
      this.refresh().catch(() => undefined)
    }, REFRESH_MS).unref()
  }

  private scheduleLookup(): void {
    const wait = Math.max(0, this.lookedUpAt + LOOKUP_GAP_MS - performance.now())
    this.lookup = setTimeout(() => void this.lookUp(), wait)
  }

  /** Answers everyone who waits at the moment, in one statement. */
  private async lookUp(): Promise<void> {
    const asked = new Map(this.asked)
    const started = performance.now()
    try {
      const rows = await findKeys(this.store, [...asked.keys()], { signal: AbortSignal.timeout(REFRESH_MS) })
      const found = new Map(rows.filter(isLive).map((row) => [row.hash, knownFrom(row, started)]))
      for (const [hash, waiting] of asked) {
        const known = found.get(hash)
        if (known) this.live.set(hash, known)
        else this.markUnknown(hash, started)
        for (const { resolve, reject } of waiting) known ? resolve(known.principal) : reject(errors.badKey())
      }
      for (const { userId, username } of rows) this.usernames.set(userId, username)
    } catch (error) {
      this.failedAt = performance.now()
      for (const waiting of asked.values()) for (const { reject } of waiting) reject(error as Error)
    }
    for (const hash of asked.keys()) this.asked.delete(hash)
    this.lookedUpAt = performance.now()
    if (this.asked.size > 0) this.scheduleLookup()
  }

  private markUnknown(hash: string, at: number): void {
    this.unknown.set(hash, at)
  }
}

function isLive(row: KeyRow): boolean {
  return row.revokedAt === undefined
}

function knownFrom({ userId, username, grants, keyId, traceProject }: KeyRow, readAt: number): Known {
  return { principal: new Principal(userId, username, grants, keyId, traceProject), readAt }
}
