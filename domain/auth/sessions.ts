/**
 * Sessions of people signed in to the pages. A session is a user's, or stands for a key: it has the rights of the user or
 * of the key, ends with it, and is reread every few seconds, so that ending it in one process ends it in all.
 */
import { Batcher } from '../../platform/batch/batcher.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Principal } from '../../platform/http/principal.js'
import { Lru } from '../../platform/lru/lru.js'
import type { People } from '../people/people.js'
import { hashKey, newKey } from './api-key.js'
import type { KeyRing } from './key-ring.js'
import {
  endSession,
  endSessions,
  findSessions,
  insertSession,
  listSessions,
  type Origin,
  putSessionsSeen,
  type SessionRow,
} from './session-table.js'

const DAY_MS = 86_400_000
export const SESSION_MS = 30 * DAY_MS
/** As for keys; see key-ring.ts. */
const TRUST_MS = 9_000
const TIMEOUT_MS = 3_000
const LOOKUP_GAP_MS = 20
const LOOKUP_LIMIT = 500
const KNOWN_LIMIT = 10_000
const CODE_MS = DAY_MS
const CODES_LIMIT = 100
/** How exact the time is at which a session was last used. */
const SEEN_MS = 300_000
/** Of a session's hash, in lists: enough to tell those of one user. */
const ID_LENGTH = 16
const LONGEST_BROWSER = 300
const UNKNOWN: Origin = { browser: '', address: '' }

/** A session as its holder sees it. */
export interface LiveSession extends Origin {
  /** for {@link Sessions.endOne} */
  id: string
  createdAt: string
  expiresAt: string
  /** empty: not known */
  seenAt: string
  /** this request is made with it */
  isCurrent: boolean
}

interface Known {
  /** undefined: unknown session */
  row: SessionRow | undefined
  /** by this process's clock */
  readAt: number
}

export class Sessions {
  private known = new Lru<Known>(KNOWN_LIMIT)
  private readonly lookups: Batcher<string, SessionRow | undefined>
  private reading = 0
  /** hash of a one-time code → what it signs in */
  private readonly codes = new Map<string, Pick<SessionRow, 'keyHash' | 'expiresAt'>>()
  /** by hash, when this process last stored that it is used */
  private readonly seen = new Lru<number>(KNOWN_LIMIT)
  private readonly seenWrites: Batcher<string, undefined>
  private recheck: ((hash: string) => Promise<void> | undefined) | undefined

  constructor(
    private readonly store: Store,
    private readonly keys: KeyRing,
    private readonly people: People,
  ) {
    this.lookups = new Batcher(
      async (hashes: readonly string[]) => {
        const found = await findSessions(store, hashes, { signal: AbortSignal.timeout(TIMEOUT_MS) })
        return hashes.map((hash) => found.get(hash))
      },
      { gapMs: LOOKUP_GAP_MS },
    )
    this.seenWrites = new Batcher(async (hashes: readonly string[]) => {
      await putSessionsSeen(store, hashes)
      return hashes.map(() => undefined)
    })
  }

  /** @param recheck called with the hash of a user's session that is used: what that has to wait for, if anything */
  recheckedBy(recheck: (hash: string) => Promise<void> | undefined): void {
    this.recheck = recheck
  }

  /** Signs in with the key of this hash. @returns the session, which is shown once. @throws `BAD_KEY` */
  async open(keyHash: string, from = UNKNOWN): Promise<{ session: string; principal: Principal }> {
    const principal = await (this.keys.known(keyHash) ?? this.keys.find(keyHash))
    const session = await this.insert({ keyHash, userId: '', expiresAt: Date.now() + SESSION_MS }, from)
    return { session, principal }
  }

  /**
   * Signs a user in.
   * @param expiresAt ms since the epoch; default: in 30 days
   * @returns the session, which is shown once. @throws `USER_INACTIVE`
   */
  async openUser(
    userId: string,
    from = UNKNOWN,
    expiresAt = Date.now() + SESSION_MS,
  ): Promise<{ session: string; principal: Principal }> {
    const principal = await this.people.principalOf(userId)
    return { session: await this.insert({ keyHash: '', userId, expiresAt }, from), principal }
  }

  /** A code that signs in once, in this process, within a day. */
  newCode(keyHash: string): string {
    const code = newKey()
    this.codes.set(hashKey(code), { keyHash, expiresAt: Date.now() + CODE_MS })
    for (const oldest of this.codes.keys()) if (this.codes.size > CODES_LIMIT) this.codes.delete(oldest)
    return code
  }

  /** Uses up `code` and returns the hash of its key. @throws `BAD_CODE` */
  redeem(code: string): string {
    const hash = hashKey(code)
    const kept = this.codes.get(hash)
    this.codes.delete(hash)
    if (kept === undefined || kept.expiresAt <= Date.now()) throw errors.badCode()
    return kept.keyHash
  }

  /** The holder of a session; synchronous if read recently. @throws `NO_SESSION`, `BAD_KEY`, `USER_INACTIVE`, `OVERLOADED` */
  principalOf(session: string): Principal | Promise<Principal> {
    const hash = hashKey(session)
    const known = this.known.get(hash)
    if (known !== undefined && performance.now() - known.readAt < TRUST_MS)
      return this.holderWith(hash, known.row)
    return this.read(hash).then((row) => this.holderWith(hash, row))
  }

  /** Of the sessions that a browser sent, the first that is live, and its holder. @throws as {@link principalOf} of the last */
  async firstLive(sessions: readonly string[]): Promise<{ session: string; principal: Principal }> {
    for (const [at, session] of sessions.entries())
      try {
        return { session, principal: await this.principalOf(session) }
      } catch (error) {
        const isOver = error instanceof HeddleError && error.status === 401
        if (!isOver || at === sessions.length - 1) throw error
      }
    throw errors.noSession()
  }

  /** The live sessions of the user, or else of the key, of `session`, the newest first. */
  async alike(session: string): Promise<LiveSession[]> {
    const hash = hashKey(session)
    const row = await this.read(hash)
    if (row === undefined) return []
    const found = await listSessions(this.store, row)
    return found.map(({ sessionHash, ...rest }) => ({
      ...rest,
      id: sessionHash.slice(0, ID_LENGTH),
      isCurrent: sessionHash === hash,
    }))
  }

  /** Ends the one of {@link alike} with this id. Other processes notice within 10 s. @returns false: there is none */
  async endOne(session: string, id: string): Promise<boolean> {
    const row = await this.read(hashKey(session))
    const found = row === undefined ? [] : await listSessions(this.store, row)
    const one = found.find(({ sessionHash }) => sessionHash.slice(0, ID_LENGTH) === id)
    if (one === undefined) return false
    await this.endHash(one.sessionHash)
    return true
  }

  /** Ends all sessions of the user, or else of the key, of `session`. Other processes notice within 10 s. */
  async endAlike(session: string): Promise<void> {
    const row = await this.read(hashKey(session))
    if (row === undefined) return
    await endSessions(this.store, row)
    this.known = new Lru<Known>(KNOWN_LIMIT)
  }

  /** Ends all sessions of a user. Other processes notice within 10 s. */
  async endUser(userId: string): Promise<void> {
    await endSessions(this.store, { keyHash: '', userId })
    this.known = new Lru<Known>(KNOWN_LIMIT)
  }

  /** Signs out. Other processes notice within 10 s. */
  end(session: string): Promise<void> {
    return this.endHash(hashKey(session))
  }

  /** Ends the session with this hash. Other processes notice within 10 s. */
  async endHash(hash: string): Promise<void> {
    await endSession(this.store, hash)
    this.known.set(hash, { row: undefined, readAt: performance.now() })
  }

  /** The user of the session with this hash; undefined: it is over, or a key's. */
  async userOf(hash: string): Promise<string | undefined> {
    const row = await this.read(hash)
    return row === undefined || row.userId === '' || row.expiresAt <= Date.now() ? undefined : row.userId
  }

  private async insert(row: SessionRow, { browser, address }: Origin): Promise<string> {
    const session = newKey()
    const from = { browser: browser.slice(0, LONGEST_BROWSER).toWellFormed(), address }
    await insertSession(this.store, hashKey(session), row, from)
    return session
  }

  /** The holder of a session, once what its use has to wait for is done. */
  private holderWith(hash: string, row: SessionRow | undefined): Principal | Promise<Principal> {
    if (row === undefined) throw errors.noSession()
    this.noteSeen(hash)
    const waits = row.userId === '' ? undefined : this.recheck?.(hash)
    if (waits === undefined) return this.holderOf(row)
    return waits.then(() => this.holderOf((this.known.get(hash) ?? { row }).row))
  }

  /** Stores that the session is used, if that is news. What fails is stored some minutes later. */
  private noteSeen(hash: string): void {
    const now = Date.now()
    if (now - (this.seen.get(hash) ?? 0) < SEEN_MS) return
    this.seen.set(hash, now)
    this.seenWrites.ask(hash).catch(() => undefined)
  }

  private async read(hash: string): Promise<SessionRow | undefined> {
    if (this.reading >= LOOKUP_LIMIT) throw errors.overloaded()
    const readAt = performance.now()
    this.reading++
    const row = await this.lookups.ask(hash).finally(() => this.reading--)
    this.known.set(hash, { row, readAt })
    return row
  }

  private holderOf(row: SessionRow | undefined): Principal | Promise<Principal> {
    if (row === undefined || row.expiresAt <= Date.now()) throw errors.noSession()
    if (row.userId !== '') return this.people.principalOf(row.userId)
    return this.keys.known(row.keyHash) ?? this.keys.find(row.keyHash)
  }
}
