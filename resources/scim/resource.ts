/** Resources of SCIM as they are sent: their version, their place, and the parts that were asked for. Pure. */
import { hash } from 'node:crypto'
import { errors } from '../../platform/errors/catalog.js'
import { type Json, type JsonObject, keyIn, pathIn } from './filter.js'

/** Kinds of resources with their places. */
export type Kind = 'Users' | 'Groups'

interface Times {
  created: string
  lastModified: string
}

/** The resource with its `meta`. @param base address of `/scim/v2` */
export function whole(kind: Kind, resource: JsonObject, times: Times, base: string): JsonObject {
  const version = `W/"${hash('sha256', JSON.stringify(resource)).slice(0, 16)}"`
  const location = `${base}/${kind}/${String(resource.id)}`
  return { ...resource, meta: { resourceType: kind.slice(0, -1), ...times, location, version } }
}

/** The version of a resource, as an ETag. */
export const versionOf = ({ meta }: JsonObject): string => String((meta as JsonObject).version)

/** Throws `OLD_VERSION` (412) if `If-Match` names other versions than the one that is there. */
export function mustMatch(headers: ReadonlyMap<string, string>, resource: JsonObject): void {
  const wanted = headers.get('if-match')
  if (wanted !== undefined && !isAmong(wanted, resource)) throw errors.oldVersion()
}

/** Whether a list of ETags has the version of the resource. */
export function isAmong(list: string, resource: JsonObject): boolean {
  return list.split(',').some((one) => ['*', versionOf(resource)].includes(one.trim()))
}

/** The parts of a resource that were asked for; `id`, `schemas` and `meta` always. */
export function partly(
  resource: JsonObject,
  {
    attributes,
    excludedAttributes,
  }: { attributes?: string | undefined; excludedAttributes?: string | undefined },
): JsonObject {
  if (attributes !== undefined) {
    const part: JsonObject = {}
    for (const path of ['schemas', 'id', 'meta', ...listed(attributes)]) take(part, resource, pathIn(path))
    return part
  }
  const rest = structuredClone(resource)
  for (const path of listed(excludedAttributes ?? '')) drop(rest, pathIn(path))
  return rest
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

function take(into: JsonObject, from: JsonObject, [name, sub]: readonly string[]): void {
  const key = name === undefined ? undefined : keyIn(from, name)
  if (key === undefined) return
  const value = from[key]!
  if (sub === undefined) into[key] = value
  else if (Array.isArray(value)) into[key] = value.map((one) => only(one, sub))
  else into[key] = { ...(into[key] as JsonObject | undefined), ...(only(value, sub) as JsonObject) }
}

function only(value: Json, sub: string): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const key = keyIn(value, sub)
  return key === undefined ? {} : { [key]: value[key]! }
}

function drop(from: JsonObject, [name, sub]: readonly string[]): void {
  const key = name === undefined ? undefined : keyIn(from, name)
  if (key === undefined || key === 'id' || key === 'schemas') return
  if (sub === undefined) {
    delete from[key]
    return
  }
  for (const one of [from[key]!].flat())
    if (one !== null && typeof one === 'object' && !Array.isArray(one)) delete one[keyIn(one, sub) ?? sub]
}
