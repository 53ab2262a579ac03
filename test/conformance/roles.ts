/**
 * Each role at each route: of a project of its own entity, of one where it is a guest, who may read, and of one that it
 * has nothing to do with. What a role may do follows from what routes declare, so a new route is in this without being
 * named: with the request of the table of operations, or else with one made from its schemas.
 */
import { expect } from 'vitest'
import type { Api } from '../support/api.js'
import type { Endpoint } from '../support/endpoint.js'
import { hex } from '../support/ids.js'
import { type Described, exampleOf, type Schema } from './example.js'
import { nameOf, type Operation, type Sent, send, type World } from './table/operation.js'

/** The description that the server gives of itself. */
interface Description {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

/** A right in the operations with this tag, or in all. */
interface Permission {
  area: string
  right: Right
}
type Right = NonNullable<Described['x-right']>

/** A user with a role. */
interface Actor {
  userId: string
  role: string
  /** what it may do in the project that is asked for */
  permissions: readonly Permission[]
  /** where the role is, seen from there */
  place: 'own' | 'shared' | 'foreign'
  api: Api
}

/** An operation with its description. */
type Known = Described & { right: Right }

const RANK: Record<Right, number> = { read: 1, write: 2, admin: 3 }
const permits = ({ permissions }: Actor, { tags, right }: Known): boolean =>
  permissions.some((one) => (one.area === '*' || tags.includes(one.area)) && RANK[one.right] >= RANK[right])
const strength = ({ permissions }: Actor): number =>
  permissions.reduce((sum, { area, right }) => sum + RANK[right] * (area === '*' ? 100 : 1), 0)

export class Roles {
  private constructor(
    private readonly api: Api,
    private readonly description: Description,
    private readonly actors: readonly Actor[],
  ) {}

  /** Makes users with each role: over all of `entity`, and over another one. */
  static async of(server: Endpoint, entity: string): Promise<Roles> {
    const { api } = server
    const description = JSON.parse((await api.get('/openapi.json')).text) as Description
    const { areas } = JSON.parse((await api.get('/roles')).text) as { areas: string[] }
    // A role that may write in every other area.
    const clerk = ['*:read', ...areas.filter((_, i) => i % 2 === 0).map((area) => `${area}:write`)]
    const saved = await api.send('PUT', '/roles/*/clerk', { permissions: clerk, version: 0 })
    expect([saved.status, saved.text]).toEqual([200, saved.text])
    const { roles } = JSON.parse((await api.get('/roles')).text) as {
      roles: { name: string; permissions: string[] }[]
    }
    const viewer = roles.find(({ name }) => name === 'viewer')!
    // One after the other, as accounts are made: side by side the last would wait too long on a busy machine.
    const actors: Actor[] = []
    for (const { name: role, permissions } of roles)
      for (const place of ['own', 'shared', 'foreign'] as const) {
        const user = await invited(api, place === 'own' ? entity : 'globex', role)
        const here = { own: permissions, shared: viewer.permissions, foreign: [] }[place]
        actors.push({ ...user, role, place, permissions: here.map(permissionOf) })
      }
    return new Roles(api, description, actors)
  }

  /** Makes those guests of a project who are to be some. */
  async welcome(project: string): Promise<void> {
    for (const { userId, place } of this.actors)
      if (place === 'shared') {
        const seat = { scope: project, user_id: userId, role: 'viewer' }
        expect((await this.api.send('PUT', '/members', seat)).status).toBe(200)
      }
  }

  /** Sends a request of an operation as all who may not, and checks each answer. */
  async refuses(row: Operation, { project, secret }: World, valid: Sent): Promise<void> {
    const known = this.known(row)
    if (known === undefined || row.right === 'key') return
    // At once: most of the time goes by between the two processes.
    await Promise.all(
      this.actors
        .filter((actor) => !permits(actor, known))
        .map(async (actor) => {
          const { status, text } = await send(actor.api, row, project, valid)
          const who = `${actor.role}, ${actor.place}`
          expect([who, status, text]).toEqual([who, 403, text])
          expect([who, text.includes(secret)]).toEqual([who, false])
        }),
    )
  }

  /** Sends a request of an operation as the weakest who may, and checks that it isn't refused. */
  async admits(row: Operation, { project }: World, valid: Sent): Promise<void> {
    const known = this.known(row)
    // Some of what administrators do needs the right over everything.
    if (known === undefined || known.right === 'admin') return
    const [weakest] = this.actors
      .filter((actor) => permits(actor, known))
      .sort((one, other) => strength(one) - strength(other))
    if (weakest === undefined) return
    const { status, text } = await send(weakest.api, row, project, valid)
    const who = `${weakest.role}, ${weakest.place}`
    expect([who, status === 403, text]).toEqual([who, false, text])
  }

  /**
   * Sends a request that the description allows to each operation that is not in `names`, as all who may not: what is
   * about the project is refused, and nothing else shows its name or what is in it.
   * @returns how many there are
   */
  async refusesOthers(names: readonly string[], { project, secret }: World): Promise<number> {
    const { paths, components } = this.description
    const others = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        row: { method: method.toUpperCase(), path, right: 'write', make: unmade } as Operation,
        described,
      })),
    )
    const unnamed = others.filter(({ row }) => !names.includes(nameOf(row)))
    for (const { row, described } of unnamed) {
      const known = this.known(row)
      if (known === undefined) continue
      const sent = exampleOf(described, components.schemas, project)
      // What names no project may be done to one's own, and anybody may have nothing there to give up.
      const isAboutIt =
        !row.path.startsWith('/users/me/') &&
        (row.path.includes('{entity}') ||
          JSON.stringify([sent.query, sent.body, sent.headers]).includes(project.split('/')[0]!))
      await Promise.all(
        this.actors
          .filter((actor) => !permits(actor, known))
          .map(async (actor) => {
            const { status, text } = await send(actor.api, row, project, sent)
            const who = `${nameOf(row)}: ${actor.role}, ${actor.place}`
            if (isAboutIt) expect([who, status >= 400, text]).toEqual([who, true, text])
            // A refusal may name what was asked for.
            const isShown = (status < 400 && text.includes(project)) || text.includes(secret)
            expect([who, isShown, text]).toEqual([who, false, text])
          }),
      )
    }
    return unnamed.length
  }

  /** undefined: it needs no right */
  private known({ method, path }: Operation): Known | undefined {
    const described = this.description.paths[path]?.[method.toLowerCase()]
    const right = described?.['x-right']
    return described && right && { ...described, right }
  }
}

function permissionOf(text: string): Permission {
  const colon = text.lastIndexOf(':')
  return { area: text.slice(0, colon), right: text.slice(colon + 1) as Right }
}

/** A user who was invited, with a personal key. */
async function invited(operator: Api, scope: string, role: string): Promise<{ userId: string; api: Api }> {
  const invitation = await operator.ok('/invitations', { scope, role })
  const accepted = await operator
    .as(null)
    .send('POST', '/invitations/accept', { token: String(invitation.token), username: `u${hex(6)}` })
  expect([accepted.status, accepted.text]).toEqual([200, accepted.text])
  const { user_id, csrf_token } = JSON.parse(accepted.text) as { user_id: string; csrf_token: string }
  const [cookie = ''] = String(accepted.headers['set-cookie']).split(';')
  const session = { cookie, 'x-csrf-token': csrf_token }
  const made = await operator.as(null).send('POST', '/users/me/keys', {}, session)
  const { key } = JSON.parse(made.text) as { key: string }
  return { userId: user_id, api: operator.as(key) }
}

function unmade(): never {
  throw new Error('the table does not make it')
}
