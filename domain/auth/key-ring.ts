/**
 * Keeps the live keys in memory. Rereads them every few seconds while they are used, so that a revoked key stops working
 * in every process, and looks up unknown keys at once. Knows only hashes, and nothing of headers.
 */
import { Batcher } from '../../platform/batch/batcher.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { Principal } from '../../platform/http/principal.js'
import { Lru } from '../../platform/lru/lru.js'
import type { People } from '../people/people.js'
import { common } from './grants.js'
import { findKeys, type KeyRow, listKeys } from './key-table.js'

/** Time between the starts of two reads, and the timeout of a read. */
const REFRESH_MS = 3_000
/**
 * Keys read are valid for this long: they keep working that long while the store is unreachable, and a revoked key
 * stops within 10 s whatever happens.
 */
const TRUST_MS = 9_000
/** Timeout of a look-up. Callers wait for it: a process that has a thousand at once may be slow to read the answer. */
const LOOKUP_MS = TRUST_MS
/** An unknown key is not looked up again for this long. */
const UNKNOWN_MS = 5_000
const UNKNOWN_LIMIT = 10_000
/** Look-ups of unknown keys share one statement at a time, at most this often, so that guessing keys costs little. */
const LOOKUP_GAP_MS = 100
const LOOKUP_LIMIT = 500
/** After a failed look-up, further look-ups fail at once for this long. */
const AWAY_MS = 1_000

interface Known {
  row: KeyRow
  /** of a key that follows its user: what it was made from, else nothing */
  from?: Principal
  /** of a key that follows its user: as it was at last */
  principal: Principal | undefined
  /** when the store was read, by this process's clock */
  readAt: number
}

export class KeyRing {
  /** Keyed by hash, so that the timing of a look-up reveals nothing about unknown keys. */
  private live = new Map<string, Known>()
  private readonly unknown = new Lru<number>(UNKNOWN_LIMIT)
  /** look-ups in progress, by hash */
  private readonly asked = new Map<string, Promise<Known | undefined>>()
  private readonly lookups = new Batcher((hashes: readonly string[]) => this.lookUp(hashes), {
    gapMs: LOOKUP_GAP_MS,
  })
  private refreshing: NodeJS.Timeout | undefined
  private failedAt = Number.NEGATIVE_INFINITY
  /** a key was used since the last reading */
  private isUsed = false
  private stopped = false

  /**
   * @param store should have its own connections: keys are read while everything else waits
   * @param people whose rights keys may follow
   */
  constructor(
    private readonly store: Store,
    private readonly people: People,
  ) {}

  /** Reads the keys and keeps rereading them. Throws if the store is unreachable. */
  async start(): Promise<void> {
    await this.refresh()
    this.schedule()
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.refreshing)
  }

  /** Reads the keys now. */
  async refresh(): Promise<void> {
    const asked = performance.now()
    const rows = await listKeys(this.store, { signal: AbortSignal.timeout(REFRESH_MS) })
    this.live = new Map(rows.filter(isLive).map((row) => [row.hash, knownFrom(row, asked)]))
  }

  /** The holder of the key with this hash, from memory; undefined if it is not known yet. */
  known(hash: string): Principal | undefined {
    this.isUsed = true
    const known = this.fresh(hash)
    if (known === undefined || !known.row.followsUser) return known?.principal
    const user = this.people.knownPrincipal(known.row.userId)
    return user && following(known, user)
  }

  /**
   * The holder of the key with this hash, from the store.
   * @throws `BAD_KEY` if it is unknown, `USER_INACTIVE` if it follows a user that was deactivated, `STORE_UNAVAILABLE`
   * or `OVERLOADED` if it can't be looked up now
   */
  async find(hash: string): Promise<Principal> {
    const known = this.fresh(hash) ?? (await this.ask(hash))
    if (!known.row.followsUser) return known.principal!
    return following(known, await this.people.principalOf(known.row.userId))
  }

  private fresh(hash: string): Known | undefined {
    const known = this.live.get(hash)
    if (known === undefined || performance.now() - known.readAt >= TRUST_MS) return undefined
    return isLive(known.row) ? known : undefined
  }

  private async ask(hash: string): Promise<Known> {
    const since = this.unknown.get(hash)
    if (since !== undefined && performance.now() - since < UNKNOWN_MS) throw errors.badKey()
    if (this.stopped) throw errors.stopping()
    if (performance.now() - this.failedAt < AWAY_MS) throw errors.unavailable()
    let lookup = this.asked.get(hash)
    if (!lookup) {
      if (this.asked.size >= LOOKUP_LIMIT) throw errors.overloaded()
      lookup = this.lookups.ask(hash).finally(() => this.asked.delete(hash))
      this.asked.set(hash, lookup)
    }
    const known = await lookup
    if (!known) throw errors.badKey()
    return known
  }

  private schedule(): void {
    if (this.stopped) return
    this.refreshing = setTimeout(() => {
      this.schedule()
      // If nobody asks, keys are forgotten, and the next request looks its own up.
      if (this.isUsed) this.refresh().catch(() => undefined)
      this.isUsed = false
    }, REFRESH_MS).unref()
  }

  /** The holders of the keys with these hashes, in one statement. */
  private async lookUp(hashes: readonly string[]): Promise<(Known | undefined)[]> {
    if (this.stopped) throw errors.stopping()
    const started = performance.now()
    try {
      const rows = await findKeys(this.store, [...hashes], { signal: AbortSignal.timeout(LOOKUP_MS) })
      const found = new Map(rows.filter(isLive).map((row) => [row.hash, knownFrom(row, started)]))
      for (const [hash, known] of found) this.live.set(hash, known)
      for (const hash of hashes) if (!found.has(hash)) this.unknown.set(hash, started)
      return hashes.map((hash) => found.get(hash))
    } catch (error) {
      this.failedAt = performance.now()
      throw error
    }
  }
}

/** Whether a key works: it was not revoked, has not expired, and its user is active. */
export function isLive({ revokedAt, expiresAt, isUserInactive }: KeyRow): boolean {
  return revokedAt === undefined && !isUserInactive && (expiresAt === undefined || Date.now() < expiresAt)
}

function knownFrom(row: KeyRow, readAt: number): Known {
  return { row, principal: row.followsUser ? undefined : holderOf(row), readAt }
}

/** The holder of a key that follows its user; made once for each state of the user. */
function following(known: Known, user: Principal): Principal {
  if (known.principal === undefined || known.from !== user) {
    known.from = user
    known.principal = holderOf(known.row, user)
  }
  return known.principal
}

/**
 * The holder of a key.
 * @param user of a key that follows its user: that one, as it is now
 */
export function holderOf(row: KeyRow, user?: Principal): Principal {
  const { userId, username, grants, keyId, traceProject, limits, expiresAt } = row
  const isLimited = limits.models !== undefined || limits.addresses !== undefined
  const attributes = {
    ...(user && { owned: user.attributes.owned ?? [] }),
    ...(isLimited && { limits }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
  return user === undefined
    ? new Principal(userId, username, grants, keyId, traceProject, attributes)
    : new Principal(userId, user.username, common(user.grants, grants), keyId, traceProject, attributes)
}
