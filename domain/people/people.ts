/**
 * The users with their rights, in memory. A user is reread every few seconds while it is used, so that what is taken from
 * it stops working everywhere. Changes nothing; see directory.ts.
 */
import { Batcher } from '../../platform/batch/batcher.js'
import { groupBy } from '../../platform/batch/group-by.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Grant, Principal } from '../../platform/http/principal.js'
import { Lru } from '../../platform/lru/lru.js'
import { type HeldRow, heldBy } from './membership-table.js'
import { allRoles } from './role-table.js'
import { OWNER, RoleCatalog } from './roles.js'
import { sessionKeyId, type User } from './user.js'
import { putSeen, usersWithIds } from './user-table.js'

/** As for keys; see key-ring.ts. */
const TRUST_MS = 9_000
/** A user that is used is reread in the background after this time, so that nobody waits for it. */
const REREAD_MS = 3_000
const TIMEOUT_MS = 3_000
const LOOKUP_GAP_MS = 20
const LOOKUP_LIMIT = 500
const KNOWN_LIMIT = 10_000
/** How exact the time is at which a user was last seen. */
const SEEN_MS = 3_600_000

/** A user with all that it holds. */
export interface Person {
  user: User
  held: readonly HeldRow[]
  /** as in a session of the user */
  principal: Principal
}

interface Known {
  /** undefined: there is no such user */
  person: Person | undefined
  /** by this process's clock */
  readAt: number
}

export class People {
  private known = new Lru<Known>(KNOWN_LIMIT)
  /** by user, when this process last stored that it was seen */
  private readonly seen = new Lru<number>(KNOWN_LIMIT)
  private readonly lookups: Batcher<string, Person | undefined>
  private readonly seenWrites: Batcher<string, undefined>
  private readonly rereading = new Set<string>()
  private reading = 0
  /** how often something was forgotten: what was asked before that is not kept */
  private age = 0

  constructor(private readonly store: Store) {
    this.lookups = new Batcher((ids: readonly string[]) => this.lookUp(ids), { gapMs: LOOKUP_GAP_MS })
    this.seenWrites = new Batcher(async (ids: readonly string[]) => {
      await putSeen(store, ids)
      return ids.map(() => undefined)
    })
  }

  /** The user's rights, from memory; undefined: it has to be read, or is not active. */
  knownPrincipal(userId: string): Principal | undefined {
    const known = this.fresh(userId)
    return known?.person?.user.active ? known.person.principal : undefined
  }

  /**
   * The rights of a user; synchronous if read recently.
   * @throws `USER_INACTIVE` if it was deactivated or is not there, `STORE_UNAVAILABLE` or `OVERLOADED`
   */
  principalOf(userId: string): Principal | Promise<Principal> {
    const known = this.fresh(userId)
    return known === undefined ? this.read(userId).then(activeIn) : activeIn(known.person)
  }

  /** The user with what it holds, as it is now; undefined: there is none. */
  async personOf(userId: string): Promise<Person | undefined> {
    return (await this.lookUp([userId]))[0]
  }

  /** The users with these ids with what they hold, as they are now. */
  async peopleWith(userIds: readonly string[]): Promise<Person[]> {
    if (userIds.length === 0) return []
    return (await this.lookUp(userIds)).filter((person) => person !== undefined)
  }

  /** To be called after a change of users: this process knows it at once, others within 10 s. */
  forget(): void {
    this.age++
    this.known = new Lru<Known>(KNOWN_LIMIT)
  }

  private fresh(userId: string): Known | undefined {
    const known = this.known.get(userId)
    if (known === undefined) return undefined
    const age = performance.now() - known.readAt
    if (age > REREAD_MS && !this.rereading.has(userId) && this.reading < LOOKUP_LIMIT) {
      this.rereading.add(userId)
      // If it fails, whoever needs the user next hears of it.
      this.read(userId)
        .catch(() => undefined)
        .finally(() => this.rereading.delete(userId))
    }
    return age < TRUST_MS ? known : undefined
  }

  private async read(userId: string): Promise<Person | undefined> {
    if (this.reading >= LOOKUP_LIMIT) throw errors.overloaded()
    const { age } = this
    const readAt = performance.now()
    this.reading++
    const person = await this.lookups.ask(userId).finally(() => this.reading--)
    if (age === this.age) this.known.set(userId, { person, readAt })
    if (person?.user.active) this.note(userId)
    return person
  }

  private async lookUp(ids: readonly string[]): Promise<(Person | undefined)[]> {
    const options = { signal: AbortSignal.timeout(TIMEOUT_MS) }
    const [users, held, roles] = await Promise.all([
      usersWithIds(this.store, ids, options),
      heldBy(this.store, ids, options),
      allRoles(this.store, options),
    ])
    const catalog = new RoleCatalog(roles)
    const holdings = groupBy(held, ({ userId }) => userId)
    const people = new Map(
      users.map((user) => [user.userId, personFrom(user, holdings.get(user.userId) ?? [], catalog)]),
    )
    return ids.map((id) => people.get(id))
  }

  /** Stores that the user was seen, if that is news. */
  private note(userId: string): void {
    const now = Date.now()
    if (now - (this.seen.get(userId) ?? 0) < SEEN_MS) return
    this.seen.set(userId, now)
    // What fails is stored an hour later.
    this.seenWrites.ask(userId).catch(() => undefined)
  }
}

/** The user with its rights: the union of those of all its roles. */
function personFrom(user: User, held: readonly HeldRow[], catalog: RoleCatalog): Person {
  const grants = grantsOf(held, catalog)
  const owned = [...new Set(held.filter(({ roles }) => roles.includes(OWNER)).map(({ scope }) => scope))]
  const { userId, username } = user
  return {
    ...{ user, held },
    principal: new Principal(userId, username, grants, sessionKeyId(userId), '', { owned }),
  }
}

/** The grants of all these roles, each once. */
function grantsOf(held: readonly Pick<HeldRow, 'scope' | 'roles'>[], catalog: RoleCatalog): Grant[] {
  const grants = new Map<string, Grant>()
  for (const { scope, roles } of held)
    for (const role of roles)
      for (const grant of catalog.grantsOf(role, scope)) grants.set(JSON.stringify(grant), grant)
  return [...grants.values()]
}

function activeIn(person: Person | undefined): Principal {
  if (!person?.user.active) throw errors.userInactive()
  return person.principal
}
