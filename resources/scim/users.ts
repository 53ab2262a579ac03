/** Users as SCIM has them: what a client said of them is kept beside what they are here. */
import type { Directory } from '../../domain/people/directory.js'
import { SCIM } from '../../domain/people/teams.js'
import { isUsername, normalName, type User } from '../../domain/people/user.js'
import { usersThat } from '../../domain/people/user-table.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { type Json, type JsonObject, keyIn } from './filter.js'
import { whole } from './resource.js'
import { USER } from './schemas.js'

/** Who changes something; undefined: a key that was made for it. */
type Actor = Principal | undefined

/** What of a user is kept as it was sent. */
const KEPT = ['externalId', 'userName', 'name', 'displayName', 'emails', 'active'] as const

interface Kept {
  attributes: JsonObject
  modified: string
}

export class ScimUsers {
  constructor(private readonly directory: Directory) {}

  /** All people, by name; those who are called `userName` or `externalId` alone, if one is given. */
  async list(base: string, only: { userName?: string; externalId?: string } = {}): Promise<JsonObject[]> {
    const { store } = this.directory
    const users = await usersThat(
      store,
      sql`kind = 'person'
        ${only.userName === undefined ? sql`` : sql`AND username = ${bind.string(only.userName.toLowerCase())}`}
        ${only.externalId === undefined ? sql`` : sql`AND external_id = ${bind.string(only.externalId)}`}`,
    )
    const isFew = only.userName !== undefined || only.externalId !== undefined
    const kept = await this.kept(isFew ? users.map(({ userId }) => userId) : undefined)
    return users.map((user) => shown(user, kept.get(user.userId), base))
  }

  /** @throws `NOT_FOUND` (404) */
  async get(id: string, base: string): Promise<JsonObject> {
    const [user] = await usersThat(
      this.directory.store,
      sql`kind = 'person' AND user_id = ${bind.string(id)}`,
    )
    if (user === undefined) throw errors.notFound(`The user ${id}`)
    return shown(user, (await this.kept([id])).get(id), base)
  }

  /** @throws `NAME_TAKEN` (409), `SCIM_VALUE`, `BAD_NAME` (400) */
  async create(sent: JsonObject, base: string): Promise<JsonObject> {
    const { kept, username, change } = read(sent)
    const user = await this.directory.change(async (ver) => {
      const made = { source: SCIM, kind: 'person', scope: '', username } as const
      const user = await this.directory.newUser({ ...made, ...change }, ver)
      await this.keep(user.userId, kept, ver)
      return user
    })
    return this.get(user.userId, base)
  }

  /** Replaces what is known of a user. @throws as {@link create}, `LAST_OWNER` (409), `STRONGER_MEMBER` (403) */
  async replace(id: string, sent: JsonObject, base: string, actor: Actor): Promise<JsonObject> {
    const before = await this.get(id, base)
    const { kept, username, change } = read(sent, before.active !== false)
    await this.directory.updateUser(id, { ...change, username }, actor)
    await this.directory.change((ver) => this.keep(id, kept, ver))
    return this.get(id, base)
  }

  /** @throws `NOT_FOUND`, `LAST_OWNER`, `STRONGER_MEMBER` */
  async delete(id: string, base: string, actor: Actor): Promise<void> {
    await this.get(id, base)
    await this.directory.deleteUser(id, actor)
  }

  private async kept(ids?: readonly string[]): Promise<Map<string, Kept>> {
    const rows = await this.directory.store.rows<{ user_id: string; attributes: string; modified: string }>(
      sql`SELECT user_id, attributes, formatDateTime(modified_at, '%Y-%m-%dT%H:%i:%SZ') AS modified
        FROM scim_users FINAL ${ids === undefined ? sql`` : sql`WHERE user_id IN ${bind.strings(ids)}`}`,
    )
    return new Map(
      rows.map(({ user_id, attributes, modified }) => [
        user_id,
        { attributes: JSON.parse(attributes) as JsonObject, modified },
      ]),
    )
  }

  private keep(userId: string, attributes: JsonObject, ver: bigint): Promise<void> {
    const modified_at = isoOfMicros(nowMicros()).replace('T', ' ').replace('Z', '')
    const row = { user_id: userId, attributes: JSON.stringify(attributes), modified_at, ver: String(ver) }
    return this.directory.store.insertRows('scim_users', [row])
  }
}

function shown(user: User, kept: Kept | undefined, base: string): JsonObject {
  const { userName, active, ...attributes }: JsonObject = kept?.attributes ?? {
    active: user.active,
    ...(user.externalId !== '' && { externalId: user.externalId }),
    ...(user.name !== '' && { displayName: user.name }),
    ...(user.email !== '' && { emails: [{ value: user.email, type: 'work', primary: true }] }),
  }
  // The name may have been changed here since.
  const isSame = typeof userName === 'string' && userName.trim().toLowerCase() === user.username
  const resource: JsonObject = {
    ...{ schemas: [USER], id: user.userId, ...attributes },
    userName: isSame ? userName : user.username,
    ...(active !== undefined && { active: user.active }),
  }
  const created = user.createdAt
  return whole('Users', resource, { created, lastModified: kept?.modified ?? created }, base)
}

/** What a client says of a user, and what of that counts here. @throws `SCIM_VALUE` (400) */
function read(sent: JsonObject, wasActive = true) {
  const at = (name: string): Json => {
    const key = keyIn(sent, name)
    return key === undefined ? null : sent[key]!
  }
  const kept: JsonObject = {}
  for (const name of KEPT) {
    const value = at(name)
    if (value !== null) kept[name] = value
  }
  const { userName, externalId, displayName, name, emails } = kept
  if (typeof userName !== 'string' || !isUsername(normalName(userName)))
    throw errors.scimValue('userName has at most 128 letters, digits and . _ @ + -')
  for (const [key, value] of Object.entries({ externalId, displayName }))
    if (value !== undefined && typeof value !== 'string') throw errors.scimValue(`${key} is a text`)
  if (name !== undefined && (typeof name !== 'object' || Array.isArray(name)))
    throw errors.scimValue('name is an object')
  if (emails !== undefined && !(Array.isArray(emails) && emails.every(isEmail)))
    throw errors.scimValue('emails are objects with a value')
  const active = activeIn(at('active'), wasActive)
  const parts = (name ?? {}) as JsonObject
  const composed = [parts.givenName, parts.familyName].filter((part) => typeof part === 'string').join(' ')
  const addresses = (emails ?? []) as { value?: string; primary?: boolean }[]
  const address = addresses.find(({ primary }) => primary === true) ?? addresses[0]
  const named = [displayName, parts.formatted, composed].find((one) => typeof one === 'string' && one !== '')
  return {
    kept,
    username: userName,
    change: {
      ...{ name: String(named ?? ''), email: address?.value ?? (userName.includes('@') ? userName : '') },
      ...{ active, externalId: typeof externalId === 'string' ? externalId : '' },
    },
  }
}

const isEmail = (value: Json): boolean =>
  value !== null &&
  typeof value === 'object' &&
  !Array.isArray(value) &&
  (value.value === undefined || typeof value.value === 'string')

/** Some clients send it as a text. */
function activeIn(value: Json, wasActive: boolean): boolean {
  if (value === null) return wasActive
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw errors.scimValue('active is true or false')
}
