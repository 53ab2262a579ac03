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

/** A session as its holder sees it. */
export interface LiveSession {
  createdAt: string
  expiresAt: string
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
  }

  /** Signs in with the key of this hash. @returns the session, which is shown once. @throws `BAD_KEY` */
  async open(keyHash: string): Promise<{ session: string; principal: Principal }> {
    const principal = await (this.keys.known(keyHash) ?? this.keys.find(keyHash))
    return { session: await this.insert({ keyHash, userId: '' }), principal }
  }

  /**
   * Signs a user in.
   * @returns the session, which is shown once. @throws `USER_INACTIVE`
   */
  async openUser(userId: string): Promise<{ session: string; principal: Principal }> {
    const principal = await this.people.principalOf(userId)
    return { session: await this.insert({ keyHash: '', userId }), principal }
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
    if (known !== undefined && performance.now() - known.readAt < TRUST_MS) return this.holderOf(known.row)
    return this.read(hash).then((row) => this.holderOf(row))
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
    return found.map(({ sessionHash, ...times }) => ({ ...times, isCurrent: sessionHash === hash }))
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
  async end(session: string): Promise<void> {
    const hash = hashKey(session)
    await endSession(this.store, hash)
    this.known.set(hash, { row: undefined, readAt: performance.now() })
  }

  private async insert(of: Pick<SessionRow, 'keyHash' | 'userId'>): Promise<string> {
    const session = newKey()
    await insertSession(this.store, hashKey(session), { ...of, expiresAt: Date.now() + SESSION_MS })
    return session
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
