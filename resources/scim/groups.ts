/** Groups as SCIM has them: teams that a client made, and chooses the members of. */
import { type FullTeam, SCIM, type Teams } from '../../domain/people/teams.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { type Json, type JsonObject, keyIn } from './filter.js'
import { whole } from './resource.js'
import { GROUP } from './schemas.js'

export class ScimGroups {
  constructor(private readonly teams: Teams) {}

  /** All groups that clients made, by name. */
  async list(base: string): Promise<JsonObject[]> {
    return (await this.teams.list()).filter(isGroup).map((team) => shown(team, base))
  }

  /** @throws `NOT_FOUND` (404) */
  async get(id: string, base: string): Promise<JsonObject> {
    return shown(await this.team(id), base)
  }

  /** @throws `NAME_TAKEN` (409), `SCIM_VALUE` (400), `NOT_FOUND` of members */
  async create(sent: JsonObject, base: string): Promise<JsonObject> {
    const { name, externalId, members } = read(sent)
    const { teamId } = await this.teams.create({ entity: '*', name, source: SCIM, externalId }, members)
    return this.get(teamId, base)
  }

  /** Replaces what is known of a group. @throws as {@link create}, `UNHELD_RIGHT`, `STRONGER_MEMBER`, `LAST_OWNER` */
  async replace(
    id: string,
    sent: JsonObject,
    base: string,
    actor: Principal | undefined,
  ): Promise<JsonObject> {
    const before = await this.team(id)
    const { name, externalId, members } = read(sent)
    const had = before.members.map(({ userId }) => userId)
    if (had.length !== members.length || members.some((userId) => !had.includes(userId)))
      await this.teams.setMembers(id, { exactly: members }, actor)
    if (name !== before.name || externalId !== before.externalId)
      await this.teams.rename(id, { name, externalId })
    return this.get(id, base)
  }

  /** @throws `NOT_FOUND`, `LAST_OWNER`, `STRONGER_MEMBER` */
  async delete(id: string, _base: string, actor: Principal | undefined): Promise<void> {
    await this.team(id)
    await this.teams.delete(id, actor)
  }

  private async team(id: string): Promise<FullTeam> {
    const team = await this.teams.get(id)
    if (!isGroup(team)) throw errors.notFound(`The group ${id}`)
    return team
  }
}

const isGroup = ({ source }: FullTeam): boolean => source === SCIM

function shown({ teamId, name, externalId, createdAt, members }: FullTeam, base: string): JsonObject {
  const resource: JsonObject = {
    ...{ schemas: [GROUP], id: teamId, displayName: name },
    ...(externalId !== '' && { externalId }),
    ...(members.length > 0 && {
      members: members.map(({ userId }) => ({ value: userId, $ref: `${base}/Users/${userId}` })),
    }),
  }
  return whole('Groups', resource, { created: createdAt, lastModified: createdAt }, base)
}

/** @throws `SCIM_VALUE` (400) */
function read(sent: JsonObject) {
  const at = (name: string): Json => {
    const key = keyIn(sent, name)
    return key === undefined ? null : sent[key]!
  }
  const [name, externalId, members] = [at('displayName'), at('externalId') ?? '', at('members') ?? []]
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200)
    throw errors.scimValue('displayName is a text of at most 200 characters')
  if (typeof externalId !== 'string') throw errors.scimValue('externalId is a text')
  const ids = [members].flat().map((member) => {
    const value = member !== null && typeof member === 'object' && !Array.isArray(member) ? member : {}
    const ref = value.value ?? (typeof value.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined)
    if (typeof ref !== 'string') throw errors.scimValue('members are objects with the id of a user as value')
    return ref
  })
  return { name: name.trim(), externalId, members: [...new Set(ids)] }
}
