/** Invitations: links that give a role over a scope to whoever follows them, once. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Principal } from '../../platform/http/principal.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { hashKey, newKey, newKeyId } from '../auth/api-key.js'
import { holderOf, isLive } from '../auth/key-ring.js'
import { keyWithId } from '../auth/key-table.js'
import { mustGive } from './authority.js'
import type { Directory } from './directory.js'
import { membershipsOf, putMemberships } from './membership-table.js'
import { isUsername, normalName, type User, userSubject } from './user.js'

export interface Invitation {
  id: string
  /** empty: for whoever has the link */
  email: string
  scope: string
  role: string
  /** id of the user whose session invites, or `key:` and the id of the key that does */
  invitedBy: string
  /** ISO 8601 */
  createdAt: string
  expiresAt: string
}

type Asked = Pick<Invitation, 'email' | 'scope' | 'role' | 'invitedBy'>

interface Stored extends Invitation {
  hash: string
  state: 'open' | 'used' | 'revoked'
}

/** Before the id of a key in {@link Invitation.invitedBy}. */
export const BY_KEY = 'key:'

const SELECT = sql`SELECT invitation_id AS id, toString(token_hash) AS hash, email, scope, role,
    invited_by AS invitedBy, state, formatDateTime(created_at, '%Y-%m-%dT%H:%i:%SZ') AS createdAt,
    formatDateTime(expires_at, '%Y-%m-%dT%H:%i:%SZ') AS expiresAt FROM invitations FINAL`

export class Invitations {
  private readonly store: Store

  constructor(private readonly directory: Directory) {
    this.store = directory.store
  }

  /** The open ones, the newest first. */
  async open(): Promise<Invitation[]> {
    return this.those(sql`state = 'open' AND expires_at > now64(6) ORDER BY created_at DESC LIMIT 10000`)
  }

  /** Makes one. @returns its token, which is shown once @throws `BAD_NAME` (400) of an address that no user can have */
  async create(asked: Asked, days: number): Promise<{ invitation: Invitation; token: string }> {
    const email = normalName(asked.email)
    if (email !== '' && !(isUsername(email) && email.includes('@')))
      throw errors.badName(`"${email}" is not an e-mail address; send one, or none for whoever has the link.`)
    const token = newKey()
    const now = Date.now()
    const invitation: Stored = {
      ...{ ...asked, email, id: newKeyId(), hash: hashKey(token), state: 'open' },
      createdAt: isoOfMicros(now * 1000),
      expiresAt: isoOfMicros((now + days * 86_400_000) * 1000),
    }
    await this.put(invitation, 1n)
    return { invitation, token }
  }

  /** @returns undefined: there is no open one with this id */
  async find(id: string): Promise<Invitation | undefined> {
    const [found] = await this.those(sql`invitation_id = ${bind.string(id)} AND state = 'open'`)
    return found
  }

  /** Ends an open one. @throws `NOT_FOUND` (404) */
  revoke(id: string): Promise<void> {
    return this.directory.change(async (ver) => {
      const [found] = await this.those(sql`invitation_id = ${bind.string(id)} AND state = 'open'`)
      if (found === undefined) throw errors.notFound(`The invitation ${id}`)
      await this.put({ ...found, state: 'revoked' }, ver)
    })
  }

  /**
   * Uses one up: gives its role to who is signed in, or else to a new user.
   * @param signedIn id of the user who is signed in
   * @param asked of a new user; its name counts where the invitation names no address
   * @throws `BAD_INVITATION` (401); `NAME_TAKEN` (409) if there is such a user, who has to sign in first; what
   * {@link mustGive} throws, if who invited may not any more
   */
  accept(
    token: string,
    signedIn: string | undefined,
    asked: { username: string; name: string },
  ): Promise<{ user: User; invitation: Invitation }> {
    return this.directory.change(async (ver) => {
      const [found] = await this.those(
        sql`token_hash = ${bind.string(hashKey(token))} AND state = 'open' AND expires_at > now64(6)`,
      )
      if (found === undefined) throw errors.badInvitation()
      const { email } = found
      await this.mustStillGive(found)
      const user = signedIn === undefined ? undefined : await this.directory.userWithId(signedIn)
      if (user !== undefined && email !== '' && ![user.username, normalName(user.email)].includes(email))
        throw errors.badInvitation()
      const username = email || asked.username
      if (user === undefined && username === '') throw errors.badRequest('Send a username for yourself.')
      const invited =
        user ??
        (await this.directory.newUser(
          { username, email, name: asked.name, source: 'invitation', kind: 'person', scope: '' },
          ver,
        ))
      await this.give(found, invited.userId, ver)
      return { user: invited, invitation: found }
    })
  }

  /** Whether somebody is invited by this address. @param email as {@link normalName} has it */
  async isInvited(email: string): Promise<boolean> {
    return (await this.openFor(email)).length > 0
  }

  /** Uses up all that are for a verified address, for the user who has it; not those that may not be given any more. */
  async acceptFor(email: string, userId: string): Promise<void> {
    if (email === '' || !(await this.isInvited(email))) return
    await this.directory.change(async (ver) => {
      for (const invitation of await this.openFor(email)) {
        const mayBeGiven = await this.mustStillGive(invitation).then(
          () => true,
          (error: unknown) => {
            if (error instanceof HeddleError && error.status < 500) return false
            throw error
          },
        )
        if (mayBeGiven) await this.give(invitation, userId, ver)
      }
    })
  }

  private openFor(email: string): Promise<Stored[]> {
    return this.those(sql`email = ${bind.string(email)} AND state = 'open' AND expires_at > now64(6)`)
  }

  private async give(found: Stored, userId: string, ver: bigint): Promise<void> {
    const { scope, role } = found
    const subject = userSubject(userId)
    const before = (await membershipsOf(this.store, [subject])).find(
      (row) => row.scope === scope && row.source === '',
    )
    const roles = [...new Set([...(before?.roles ?? []), role])]
    await putMemberships(this.store, [{ subject, scope, source: '', roles }], ver)
    await this.put({ ...found, state: 'used' }, ver, userId)
  }

  /** Who invited may have left, or have less by now, and a key may be revoked since. */
  private async mustStillGive({ invitedBy, scope, role }: Invitation): Promise<void> {
    const by = await this.inviter(invitedBy)
    if (by === undefined) throw errors.badInvitation()
    mustGive({ actor: by.within('People'), catalog: await this.directory.roleCatalog() }, role, scope)
  }

  /** @returns undefined: the user is not active, or the key not live, any more */
  private async inviter(invitedBy: string): Promise<Principal | undefined> {
    const activeUser = async (id: string) => {
      const person = await this.directory.people.personOf(id)
      return person?.user.active ? person.principal : undefined
    }
    if (!invitedBy.startsWith(BY_KEY)) return activeUser(invitedBy)
    const key = await keyWithId(this.store, invitedBy.slice(BY_KEY.length))
    if (key === undefined || !isLive(key)) return undefined
    if (!key.followsUser) return holderOf(key)
    const user = await activeUser(key.userId)
    return user && holderOf(key, user)
  }

  private those(condition: Sql): Promise<Stored[]> {
    return this.store.rows<Stored>(sql`${SELECT} WHERE ${condition}`)
  }

  private put(row: Stored, ver: bigint, userId = ''): Promise<void> {
    const time = (iso: string) => iso.replace('T', ' ').replace('Z', '')
    return this.store.insertRows('invitations', [
      {
        ...{ invitation_id: row.id, token_hash: row.hash, email: row.email, scope: row.scope },
        ...{ role: row.role, invited_by: row.invitedBy, state: row.state, user_id: userId },
        ...{ created_at: time(row.createdAt), expires_at: time(row.expiresAt), ver: String(ver) },
      },
    ])
  }
}
