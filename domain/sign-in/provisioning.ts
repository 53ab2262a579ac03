/** Who comes in: makes users of people whom a provider or a mail vouches for, and gives them what the operator's mapping says. */
import { createHash } from 'node:crypto'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Directory } from '../people/directory.js'
import { Invitations } from '../people/invitations.js'
import type { User } from '../people/user.js'
import { hasPeople, userNamed, userOfIdentity } from '../people/user-table.js'
import { mayBeFirst, type Person, personOfEmail } from './admission.js'
import type { SignInSettings } from './settings.js'

/** Names of users; see people/directory.ts. */
const NAME = /^[\w.@+-]{1,128}$/

export class Provisioning {
  private readonly invitations: Invitations

  constructor(
    private readonly directory: Directory,
    private readonly settings: SignInSettings,
  ) {
    this.invitations = new Invitations(directory)
  }

  /**
   * The user that this person is: known, invited, welcome by the operator's settings, or the first.
   * @param provider by which it came; undefined: by a link in a mail
   * @throws `SIGN_IN_NOT_ALLOWED` (403), `USER_INACTIVE` (401), `SIGN_IN_NAME_TAKEN` (409)
   */
  async provision(person: Person, provider: string | undefined): Promise<User> {
    const username = usernameOf(person, provider)
    if (!(await this.isLetIn(person, username))) throw errors.signInNotAllowed()
    const { email, name, issuer, subject } = person
    const source = sourceOf(provider)
    const asked = {
      ...{ username, email, name, source, mayBeFirst: mayBeFirst(this.settings, person) },
      ...(provider !== undefined && { identity: { issuer, subject } }),
    }
    // Only who can read mail of an address gets what is that address's user's, and nobody who follows at the same provider.
    const linksByName = email !== '' && !(await this.isElsewhere(username, issuer))
    const { user } = await this.directory.findOrCreateUser(asked, { linksByName }).catch((error: unknown) => {
      const isTaken = error instanceof HeddleError && error.code === 'NAME_TAKEN'
      throw isTaken ? errors.signInNameTaken() : error
    })
    if (!user.active) throw errors.userInactive()
    await this.renew(user.userId, person, provider)
    await this.invitations.acceptFor(email, user.userId)
    return user
  }

  /** Replaces what the mapping gives a user. */
  async renew(userId: string, { memberships }: Person, provider: string | undefined): Promise<void> {
    await this.directory.setMemberships(userId, sourceOf(provider), memberships)
  }

  /** Whether a link to sign in may be sent to this address. */
  async mayHaveLink(email: string): Promise<boolean> {
    const person = personOfEmail(this.settings, email)
    const user = await userNamed(this.directory.store, email)
    return user === undefined ? this.isLetIn(person, email) : user.active && user.kind === 'person'
  }

  private async isLetIn(person: Person, username: string): Promise<boolean> {
    const { store } = this.directory
    if (person.isWelcome) return true
    if ((await userOfIdentity(store, person.issuer, person.subject)) !== undefined) return true
    if (person.email === '') return false
    if ((await userNamed(store, username)) !== undefined || (await this.invitations.isInvited(person.email)))
      return true
    return mayBeFirst(this.settings, person) && !(await hasPeople(store))
  }

  /** Whether the user of this name is somebody else at the issuer: an address may have got a new owner. */
  private async isElsewhere(username: string, issuer: string): Promise<boolean> {
    const { store } = this.directory
    const user = await userNamed(store, username)
    if (user === undefined) return false
    const row = await store.row(sql`SELECT 1 FROM identities FINAL
      WHERE user_id = ${bind.string(user.userId)} AND issuer = ${bind.string(issuer)} LIMIT 1`)
    return row !== undefined
  }
}

const sourceOf = (provider: string | undefined) => (provider === undefined ? 'email' : `oidc:${provider}`)

/** The verified address, or a name that nobody else at the provider has. */
function usernameOf({ email, issuer, subject }: Person, provider: string | undefined): string {
  if (NAME.test(email)) return email
  const hash = createHash('sha256').update(`${issuer}\n${subject}`).digest('hex')
  return `${provider ?? 'email'}.${hash.slice(0, 16)}`
}
