import * as declared from '../../contract/scim.js'
import { Teams } from '../../domain/people/teams.js'
import { errors } from '../../platform/errors/catalog.js'
import { originOf } from '../../platform/http/forwarded.js'
import type { Principal } from '../../platform/http/principal.js'
import { type Bound, Reply, type Request, serve } from '../../platform/http/request.js'
import type { Parts } from '../parts.js'
import { type JsonObject, parseFilter } from './filter.js'
import { ScimGroups } from './groups.js'
import { type Change, patched } from './patch.js'
import { isAmong, type Kind, mustMatch, partly, versionOf } from './resource.js'
import { described, LIST } from './schemas.js'
import { ScimUsers } from './users.js'

const TYPE = 'application/scim+json'
const MOST = 1000

/** What both kinds of resources can. */
interface Collection {
  list(base: string, only?: { userName?: string; externalId?: string }): Promise<JsonObject[]>
  get(id: string, base: string): Promise<JsonObject>
  create(sent: JsonObject, base: string): Promise<JsonObject>
  replace(id: string, sent: JsonObject, base: string, actor: Principal | undefined): Promise<JsonObject>
  delete(id: string, base: string, actor: Principal | undefined): Promise<void>
}

export function scimRoutes({ directory }: Pick<Parts, 'directory'>): Bound[] {
  const kinds: Record<Kind, Collection> = {
    Users: new ScimUsers(directory),
    Groups: new ScimGroups(new Teams(directory)),
  }
  const collectionOf = (name: string, method = 'GET'): Collection => {
    if (Object.hasOwn(described(''), name)) throw errors.noMethod(method, ['GET'])
    if (name !== 'Users' && name !== 'Groups') throw errors.notFound(`The resource ${name}`)
    return kinds[name]
  }
  return [
    serve(declared.scimList, async ({ params: { resource }, query, principal, headers }) => {
      mustProvision(principal)
      const base = baseOf(headers)
      const known = described(base)[resource]
      if (known !== undefined) return sent(Array.isArray(known) ? listOf(known, 1, known.length) : known)
      return sent(found(await all([collectionOf(resource)], base, query.filter), query))
    }),
    serve(declared.scimSearch, async ({ bytes, principal, headers }) => {
      mustProvision(principal)
      const asked = searchIn(bytes)
      return sent(found(await all(Object.values(kinds), baseOf(headers), asked.filter), asked))
    }),
    serve(declared.scimSearchIn, async ({ params, bytes, principal, headers }) => {
      mustProvision(principal)
      const asked = searchIn(bytes)
      const kind = collectionOf(params.resource, 'POST')
      return sent(found(await all([kind], baseOf(headers), asked.filter), asked))
    }),
    serve(declared.scimRead, async ({ params: { resource, id }, query, principal, headers }) => {
      mustProvision(principal)
      const base = baseOf(headers)
      const known = described(base)[resource]
      if (Array.isArray(known)) {
        const one = known.find((some) => some.id === id)
        if (one === undefined) throw errors.notFound(`${resource}/${id}`)
        return sent(one)
      }
      const found = await collectionOf(resource).get(id, base)
      const had = headers.get('if-none-match')
      if (had !== undefined && isAmong(had, found))
        return new Reply(304, TYPE, '', { etag: versionOf(found) })
      return sent(partly(found, query), 200, found)
    }),
    serve(declared.scimCreate, async ({ params, principal, bytes, headers, note }) => {
      mustProvision(principal)
      const base = baseOf(headers)
      const made = await collectionOf(params.resource, 'POST').create(objectIn(bytes), base)
      note?.({ target: { id: made.id } })
      return sent(made, 201, made, { location: String((made.meta as JsonObject).location) })
    }),
    serve(declared.scimReplace, async ({ params: { resource, id }, principal, bytes, headers }) => {
      mustProvision(principal)
      const collection = collectionOf(resource, 'PUT')
      const base = baseOf(headers)
      mustMatch(headers, await collection.get(id, base))
      const changed = await collection.replace(id, objectIn(bytes), base, actorOf(principal))
      return sent(changed, 200, changed)
    }),
    serve(declared.scimPatch, async ({ params: { resource, id }, principal, bytes, headers }) => {
      mustProvision(principal)
      const collection = collectionOf(resource, 'PATCH')
      const base = baseOf(headers)
      const before = await collection.get(id, base)
      mustMatch(headers, before)
      const after = patched(before, changesIn(objectIn(bytes)))
      const changed = await collection.replace(id, after, base, actorOf(principal))
      return sent(changed, 200, changed)
    }),
    serve(declared.scimDelete, async ({ params: { resource, id }, principal, headers }) => {
      mustProvision(principal)
      const collection = collectionOf(resource, 'DELETE')
      const base = baseOf(headers)
      mustMatch(headers, await collection.get(id, base))
      await collection.delete(id, base, actorOf(principal))
      return new Reply(204, TYPE, '')
    }),
  ]
}

interface Wanted {
  filter?: string | undefined
  startIndex: number
  count: number
  attributes?: string | undefined
  excludedAttributes?: string | undefined
}

/** What matches in all of these. */
async function all(kinds: readonly Collection[], base: string, filter?: string): Promise<JsonObject[]> {
  const matches = filter === undefined ? undefined : parseFilter(filter)
  const only = filter === undefined ? {} : named(filter)
  const lists = await Promise.all(kinds.map((kind) => kind.list(base, only)))
  return matches === undefined ? lists.flat() : lists.flat().filter(matches)
}

/** The part of a list that was asked for. */
function found(matching: readonly JsonObject[], wanted: Wanted): JsonObject {
  const first = Math.max(1, wanted.startIndex)
  const page = matching.slice(first - 1, first - 1 + Math.min(MOST, Math.max(0, wanted.count)))
  return listOf(
    page.map((one) => partly(one, wanted)),
    first,
    matching.length,
  )
}

/** @throws `SCIM_VALUE` (400) */
function searchIn(bytes: Uint8Array): Wanted {
  const { data } = declared.SearchReq.safeParse(objectIn(bytes))
  if (data === undefined) throw errors.scimValue('the search has other fields than SCIM’s')
  const { filter, startIndex, count, attributes, excludedAttributes } = data
  return {
    ...{ filter, startIndex, count },
    attributes: attributes?.join(','),
    excludedAttributes: excludedAttributes?.join(','),
  }
}

/** Users are those of everything. */
function mustProvision(principal: Principal): void {
  principal.must('admin', '*')
}

/** A key was made for this by an owner, and may fill any group; a user may do here what it may elsewhere. */
const actorOf = (principal: Principal): Principal | undefined => (principal.isUser ? principal : undefined)

const baseOf = (headers: Request['headers']): string => `${originOf(headers)}/scim/v2`

function sent(
  value: JsonObject,
  status = 200,
  versioned?: JsonObject,
  headers: Record<string, string> = {},
): Reply {
  const etag = versioned && { etag: versionOf(versioned) }
  return new Reply(status, TYPE, JSON.stringify(value), { ...headers, ...etag })
}

function listOf(resources: JsonObject[], startIndex: number, totalResults: number): JsonObject {
  return { schemas: [LIST], totalResults, startIndex, itemsPerPage: resources.length, Resources: resources }
}

/** The one user that a filter asks for, as clients do before each change; nothing if it is another filter. */
function named(filter: string): { userName?: string; externalId?: string } {
  const [, name, value] = /^\s*(userName|externalId)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(filter) ?? []
  if (name === undefined) return {}
  const text = JSON.parse(value!) as string
  return name.toLowerCase() === 'username' ? { userName: text } : { externalId: text }
}

function objectIn(bytes: Uint8Array): JsonObject {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  } catch {
    // Said below.
  }
  throw errors.badBody('it is no JSON object')
}

function changesIn(body: JsonObject): Change[] {
  const changes = body.Operations
  const isChange = (one: unknown): boolean => typeof (one as Change | null)?.op === 'string'
  if (!Array.isArray(changes) || !changes.every(isChange))
    throw errors.scimValue('Operations are objects with an op')
  return changes as unknown as Change[]
}
