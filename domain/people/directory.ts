/**
 * Changes users and their roles. One change at a time over all processes, by a lease: so that a name has one user, a
 * scope keeps an owner, and what a change was decided by is still so when it is stored.
 */
import { randomBytes } from 'node:crypto'
import { groupBy } from '../../platform/batch/group-by.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { isWithin, type Principal } from '../../platform/http/principal.js'
import type { Leases } from '../../platform/leases/lease.js'
import { userIdOf } from '../auth/api-key.js'
import { giveKeys, keysOfUser, revokeKey } from '../auth/key-table.js'
import { endSessions } from '../auth/session-table.js'
import { type Authority, mustGive, mustLookAfter, mustOutrank } from './authority.js'
import {
  type HeldRow,
  holdersOf,
  type MembershipRow,
  membershipsOf,
  putMemberships,
} from './membership-table.js'
import type { People, Person } from './people.js'
import { allRoles } from './role-table.js'
import { OWNER, RoleCatalog } from './roles.js'
import { isUsername, type Membership, normalName, type User, userSubject } from './user.js'
import {
  hasIdentity,
  hasPeople,
  isTaken,
  putIdentity,
  putUsers,
  userNamed,
  userOfIdentity,
  usersWithIds,
} from './user-table.js'

/** Who signs in, or is made by somebody. */
export interface Asked {
  username: string
  email: string
  name: string
  source: string
  /** who it is elsewhere; found by that first, whatever its name is by now */
  identity?: { issuer: string; subject: string }
  externalId?: string
  /** may become the owner of everything, if there is nobody yet */
  mayBeFirst?: boolean
}

export interface UserChange {
  username?: string
  email?: string
  name?: string
  active?: boolean
  externalId?: string
}

/** Whose role over which scope. */
export interface Seat {
  /** `user:ID` or `team:ID` */
  subject: string
  scope: string
  /** default: by hand */
  source?: string
}

export class Directory {
  constructor(
    readonly store: Store,
    private readonly leases: Leases,
    readonly people: People,
  ) {}

  /** Does `work` while nobody else changes users, teams and roles. @param work gets the version of what it stores */
  async change<T>(work: (ver: bigint) => Promise<T>): Promise<T> {
    try {
      return await this.leases.hold('people', work)
    } finally {
      this.people.forget()
    }
  }

  /** The roles that there are. */
  async roleCatalog(): Promise<RoleCatalog> {
    return new RoleCatalog(await allRoles(this.store))
  }

  /**
   * The user with this identity, else with this name, else a new one. Its e-mail address and shown name become the ones
   * that were asked for. An identity that is new goes to the user of that name only if `linksByName`.
   * @throws `NAME_TAKEN` (409) if the name has another identity of the issuer, or isn't a person's; `BAD_NAME` (400)
   */
  async findOrCreateUser(
    asked: Asked,
    { linksByName = false }: { linksByName?: boolean } = {},
  ): Promise<{ user: User; isNew: boolean; isFirst: boolean }> {
    const known = await this.userOf(asked, linksByName)
    if (known !== undefined && !differs(known.user, asked) && !known.isLinked)
      return { user: known.user, isNew: false, isFirst: false }
    return this.change(async (ver) => {
      const found = await this.userOf(asked, linksByName)
      if (found !== undefined) {
        const user = {
          ...found.user,
          ...{ email: asked.email || found.user.email, name: asked.name || found.user.name },
        }
        await putUsers(this.store, [user], ver)
        if (found.isLinked && asked.identity) {
          await this.mustBeOwn(user)
          await putIdentity(this.store, asked.identity, user.userId, ver)
        }
        return { user, isNew: false, isFirst: false }
      }
      const isFirst = asked.mayBeFirst === true && !(await hasPeople(this.store))
      const user = await this.newUser({ ...asked, kind: 'person', scope: '' }, ver)
      if (asked.identity) await putIdentity(this.store, asked.identity, user.userId, ver)
      const seat = { subject: userSubject(user.userId), scope: '*', source: '', roles: [OWNER] }
      if (isFirst) await putMemberships(this.store, [seat], ver)
      return { user, isNew: true, isFirst }
    })
  }

  /** Makes a user under the lease. @throws `NAME_TAKEN` (409), `BAD_NAME` (400) */
  async newUser(
    asked: Omit<Asked, 'identity' | 'mayBeFirst'> & Pick<User, 'kind' | 'scope'> & { active?: boolean },
    ver: bigint,
  ): Promise<User> {
    const username = normalName(asked.username)
    if (!isUsername(username))
      throw errors.badName(
        `"${username.slice(0, 130)}" is not a user name; use at most 128 letters, digits and . _ @ + -.`,
      )
    if (await userNamed(this.store, username)) throw errors.nameTaken(username)
    // What keys of that name did stays theirs, unless somebody had the name who has another one now.
    const byName = userIdOf(username)
    const user: User = {
      userId: (await isTaken(this.store, byName)) ? randomBytes(8).toString('hex') : byName,
      ...{ username, email: asked.email, name: asked.name, kind: asked.kind, scope: asked.scope },
      ...{ active: asked.active ?? true, source: asked.source, externalId: asked.externalId ?? '' },
      createdAt: new Date().toISOString(),
    }
    await putUsers(this.store, [user], ver)
    return user
  }

  /** The user with this id. @throws `NOT_FOUND` (404) */
  async userWithId(userId: string): Promise<User> {
    const [user] = await usersWithIds(this.store, [userId])
    if (user === undefined) throw errors.notFound(`The user ${userId}`)
    return user
  }

  /** The entity of a team. @throws `NOT_FOUND` (404) */
  async entityOfTeam(teamId: string): Promise<string> {
    const row = await this.store.row<{ entity: string }>(
      sql`SELECT entity FROM teams FINAL WHERE deleted = 0 AND team_id = ${bind.string(teamId)}`,
    )
    if (row === undefined) throw errors.notFound(`The team ${teamId}`)
    return row.entity
  }

  /** The user with all that it holds. @throws `NOT_FOUND` (404) */
  async person(userId: string): Promise<Person> {
    const person = await this.people.personOf(userId)
    if (person === undefined) throw errors.notFound(`The user ${userId}`)
    return person
  }

  /**
   * Changes a user. @param actor who must look after it; absent: who may do everything
   * @throws `NOT_FOUND`, `STRONGER_MEMBER`, `LAST_OWNER`, `NAME_TAKEN`, `BAD_NAME`
   */
  updateUser(userId: string, change: UserChange, actor?: Principal): Promise<User> {
    return this.change(async (ver) => {
      const person = await this.person(userId)
      if (actor !== undefined) mustLookAfter(actor, person)
      const username = normalName(change.username ?? person.user.username)
      if (username !== person.user.username) {
        if (!isUsername(username))
          throw errors.badName(
            `"${username.slice(0, 130)}" is not a user name; use at most 128 letters, digits and . _ @ + -.`,
          )
        if (await userNamed(this.store, username)) throw errors.nameTaken(username)
      }
      if (change.active === false && person.user.active)
        await this.mustKeepOwners(ownedBy(person), (row) => row.userId === userId)
      const user = { ...person.user, ...change, username }
      await putUsers(this.store, [user], ver)
      return user
    })
  }

  /** Deletes a user with its roles; its id stays its own. @throws as {@link updateUser} */
  deleteUser(userId: string, actor?: Principal): Promise<void> {
    return this.change(async (ver) => {
      const person = await this.person(userId)
      if (actor !== undefined) mustLookAfter(actor, person)
      await this.mustKeepOwners(ownedBy(person), (row) => row.userId === userId)
      const rows = await membershipsOf(this.store, [userSubject(userId)])
      await putUsers(this.store, [{ ...person.user, active: false, isDeleted: true }], ver)
      await putMemberships(
        this.store,
        rows.map((row) => ({ ...row, roles: [] })),
        ver,
      )
    })
  }

  /**
   * Replaces what `source` gives a user. Of a scope that would lose its last owner, that role stays.
   * @returns the scopes where it stayed
   */
  async setMemberships(
    userId: string,
    source: string,
    wanted: readonly { scope: string; role: string }[],
  ): Promise<{ kept: string[] }> {
    const subject = userSubject(userId)
    const asked = groupBy(wanted, ({ scope }) => scope)
    const target = new Map(
      [...asked].map(([scope, rows]) => [scope, [...new Set(rows.map(({ role }) => role))].sort()]),
    )
    if (changesOf(await this.ofSource(subject, source), target).length === 0) return { kept: [] }
    return this.change(async (ver) => {
      const before = await this.ofSource(subject, source)
      const kept: string[] = []
      const rows: MembershipRow[] = []
      for (const { scope, roles } of changesOf(before, target)) {
        const lost =
          before.find((row) => row.scope === scope)?.roles.includes(OWNER) && !roles.includes(OWNER)
        const isLast =
          lost &&
          (await this.isOwnerless(
            scope,
            (row) => row.userId === userId && row.team === '' && row.source === source,
          ))
        if (isLast) kept.push(scope)
        rows.push({ subject, scope, source, roles: isLast ? [...roles, OWNER] : roles })
      }
      await putMemberships(this.store, rows, ver)
      return { kept }
    })
  }

  /**
   * Gives a user or a team a role over a scope instead of those that the source gave before; none takes them away.
   * @param authority who does it; absent: who may do everything
   * @throws `UNHELD_RIGHT`, `STRONGER_MEMBER`, `LAST_OWNER`, `NOT_FOUND` of the role
   */
  setRole({ subject, scope, source = '' }: Seat, role: string | undefined, actor?: Principal): Promise<void> {
    return this.change((ver) => this.putRole({ subject, scope, source }, role, ver, actor))
  }

  /** As {@link setRole}, under the lease. */
  async putRole(
    { subject, scope, source }: Required<Seat>,
    role: string | undefined,
    ver: bigint,
    actor?: Principal,
  ): Promise<void> {
    const before = (await this.ofSource(subject, source)).find((row) => row.scope === scope)?.roles ?? []
    const catalog = await this.roleCatalog()
    if (role !== undefined && catalog.permissionsOf(role, scope) === undefined)
      throw errors.notFound(`The role ${role}`)
    if (actor !== undefined) {
      const authority: Authority = { actor, catalog }
      mustOutrank(authority, before, scope, subject)
      if (role !== undefined) mustGive(authority, role, scope)
    }
    if (before.includes(OWNER) && role !== OWNER) {
      await this.mustKeepOwners([scope], (row) => row.source === source && isOf(row, subject))
    }
    await putMemberships(
      this.store,
      [{ subject, scope, source, roles: role === undefined ? [] : [role] }],
      ver,
    )
  }

  /**
   * Throws `LAST_OWNER` (409) if a scope that has an owner would have none any more, nor one of what it lies in.
   * @param isLost which of the owners' roles go
   */
  async mustKeepOwners(scopes: readonly string[], isLost: (row: HeldRow) => boolean): Promise<void> {
    for (const scope of new Set(scopes))
      if (await this.isOwnerless(scope, isLost)) throw errors.lastOwner(scope)
  }

  /**
   * Gives what a user has to another: its roles by hand, and its keys but for the personal ones.
   * @param actor who must look after the user
   * @throws `NOT_FOUND`, `STRONGER_MEMBER`, `LAST_OWNER`, `USER_INACTIVE` of the other one
   */
  handOver(
    fromId: string,
    toId: string,
    { actor, deactivate }: { actor: Principal; deactivate: boolean },
  ): Promise<{ scopes: string[]; keyIds: string[] }> {
    return this.change(async (ver) => {
      const [from, to] = [await this.person(fromId), await this.person(toId)]
      mustLookAfter(actor, from)
      if (!to.user.active) throw errors.userInactive()
      if (fromId === toId) throw errors.badRequest('Name another user to hand over to.')
      const [given, had] = [
        await this.ofSource(userSubject(fromId), ''),
        await this.ofSource(userSubject(toId), ''),
      ]
      const passed = given.filter(({ roles }) => roles.includes(OWNER)).map(({ scope }) => scope)
      const others = ownedBy(from).filter((scope) => !passed.includes(scope))
      if (deactivate) await this.mustKeepOwners(others, (row) => row.userId === fromId)
      const rows = given.map(({ scope, roles }) => ({
        ...{ subject: userSubject(toId), scope, source: '' },
        roles: [...new Set([...(had.find((row) => row.scope === scope)?.roles ?? []), ...roles])],
      }))
      // First what the other one gets: if this ends in the middle, nothing is nobody's.
      await putMemberships(this.store, rows, ver)
      const keyIds = await giveKeys(this.store, fromId, to.user)
      const gone = given.map((row) => ({ ...row, subject: userSubject(fromId), roles: [] }))
      await putMemberships(this.store, gone, ver)
      if (deactivate) await putUsers(this.store, [{ ...from.user, active: false }], ver)
      return { scopes: rows.map(({ scope }) => scope), keyIds }
    })
  }

  /**
   * Gives up a user's own roles by hand in `scope`.
   * @throws `LAST_OWNER`
   */
  leave(userId: string, scope: string): Promise<void> {
    return this.change(async (ver) => {
      const subject = userSubject(userId)
      const rows = (await this.ofSource(subject, '')).filter((row) => isWithin(row.scope, scope))
      const owned = rows.filter(({ roles }) => roles.includes(OWNER)).map((row) => row.scope)
      await this.mustKeepOwners(owned, (row) => row.userId === userId && row.team === '' && row.source === '')
      await putMemberships(
        this.store,
        rows.map((row) => ({ ...row, subject, roles: [] })),
        ver,
      )
    })
  }

  /**
   * A user made by an invitation may be used by whoever had the link. Once the address turns out to be somebody's, it is
   * that one's alone.
   */
  private async mustBeOwn({ userId, source }: User): Promise<void> {
    if (source !== 'invitation' || (await hasIdentity(this.store, userId))) return
    await endSessions(this.store, { keyHash: '', userId })
    const keys = await keysOfUser(this.store, userId)
    for (const { keyId, followsUser } of keys) if (followsUser) await revokeKey(this.store, keyId)
  }

  private async isOwnerless(scope: string, isLost: (row: HeldRow) => boolean): Promise<boolean> {
    const outer = ['*', scope.split('/', 1)[0]!, scope].filter((one) => isWithin(scope, one))
    const owners = await holdersOf(this.store, OWNER, [...new Set(outer)])
    return owners.some((row) => row.scope === scope) && owners.every(isLost)
  }

  private async ofSource(subject: string, source: string): Promise<Membership[]> {
    return (await membershipsOf(this.store, [subject])).filter((row) => row.source === source)
  }

  /** Whom is asked for, if it is there; `isLinked`: its identity is news. */
  private async userOf(
    { identity, username }: Asked,
    linksByName: boolean,
  ): Promise<{ user: User; isLinked: boolean } | undefined> {
    if (identity !== undefined) {
      const userId = await userOfIdentity(this.store, identity.issuer, identity.subject)
      const [user] = userId === undefined ? [] : await usersWithIds(this.store, [userId])
      if (user !== undefined) return { user, isLinked: false }
    }
    const user = await userNamed(this.store, normalName(username))
    if (user === undefined) return undefined
    if (user.kind !== 'person' || (identity !== undefined && !linksByName))
      throw errors.nameTaken(user.username)
    return { user, isLinked: identity !== undefined }
  }
}

const differs = (user: User, { email, name }: Asked): boolean =>
  (email !== '' && email !== user.email) || (name !== '' && name !== user.name)

const ownedBy = ({ principal }: Person): readonly string[] => principal.attributes.owned ?? []

const isOf = (row: HeldRow, subject: string): boolean =>
  row.team === '' ? subject === userSubject(row.userId) : subject === `team:${row.team}`

/** Per scope that changes, the roles that it has to have. */
function changesOf(
  before: readonly Membership[],
  target: ReadonlyMap<string, string[]>,
): { scope: string; roles: string[] }[] {
  const had = new Map(before.map(({ scope, roles }) => [scope, [...roles].sort()]))
  const scopes = [...new Set([...had.keys(), ...target.keys()])]
  return scopes
    .map((scope) => ({ scope, roles: target.get(scope) ?? [] }))
    .filter(({ scope, roles }) => JSON.stringify(had.get(scope) ?? []) !== JSON.stringify(roles))
}
