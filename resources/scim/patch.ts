/** Changes of SCIM (RFC 7644 §3.5.2), as clients send them, which is not always as it says. Pure. */
import { errors } from '../../platform/errors/catalog.js'
import { type Json, type JsonObject, keyIn, type Matches, parseFilter, pathIn } from './filter.js'

/** One of `Operations`. */
export interface Change {
  op: string
  path?: unknown
  value?: unknown
}

interface Place {
  name: string
  /** of the values of a list */
  filter?: Matches
  sub?: string
}

const MOST = 1000
/** Attributes that are lists. */
const LISTS = new Set(['emails', 'members'])

/** The resource after the changes, one after the other. @throws `SCIM_PATH`, `SCIM_FILTER`, `SCIM_VALUE` (400) */
export function patched(resource: JsonObject, changes: readonly Change[]): JsonObject {
  if (changes.length > MOST) throw errors.scimValue(`at most ${MOST} changes at once`)
  return changes.reduce(changed, structuredClone(resource))
}

function changed(resource: JsonObject, { op, path, value }: Change): JsonObject {
  const kind = op.toLowerCase()
  if (kind !== 'add' && kind !== 'replace' && kind !== 'remove')
    throw errors.scimValue(`the op ${op.slice(0, 50)} is none: use add, replace or remove`)
  if (path === undefined || path === '') {
    if (kind === 'remove') throw errors.scimPath('a removal needs a path')
    if (!isObject(value)) throw errors.scimValue('a change without a path needs an object')
    for (const [key, one] of Object.entries(value))
      if (key !== 'schemas') apply(resource, placeOf(key), kind, one)
    return resource
  }
  if (typeof path !== 'string') throw errors.scimPath('a path is a text')
  apply(resource, placeOf(path), kind, value as Json | undefined)
  return resource
}

/** Reads `attribute`, `attribute.sub`, `attribute[filter]` and `attribute[filter].sub`. */
function placeOf(path: string): Place {
  const found = /^([^[\]]+)(?:\[(.*)\](?:\.([\w$-]+))?)?$/s.exec(path.trim())
  const [name, sub, ...more] = pathIn(found?.[1] ?? '')
  if (name === undefined || more.length > 0) throw errors.scimPath(path.slice(0, 200))
  const filter = found?.[2]
  const last = sub ?? found?.[3]
  return {
    name,
    ...(filter !== undefined && { filter: parseFilter(filter) }),
    ...(last !== undefined && { sub: last }),
  }
}

function apply(
  resource: JsonObject,
  { name, filter, sub }: Place,
  op: string,
  value: Json | undefined,
): void {
  const key = keyIn(resource, name) ?? name
  const here = resource[key]
  if (value === undefined && op !== 'remove') throw errors.scimValue(`${name} needs a value`)
  if (filter !== undefined) {
    const list = Array.isArray(here) ? here : []
    const chosen = list.filter(filter)
    if (op === 'remove') {
      if (sub === undefined) resource[key] = list.filter((one) => !chosen.includes(one))
      else for (const one of chosen) if (isObject(one)) delete one[keyIn(one, sub) ?? sub]
    } else if (chosen.length === 0) {
      if (op === 'replace') throw errors.scimPath(`nothing in ${name} matches`)
      resource[key] = [...list, sub === undefined ? value! : { [sub]: value! }]
    } else
      for (const one of chosen)
        if (isObject(one)) Object.assign(one, sub === undefined ? value : { [keyIn(one, sub) ?? sub]: value })
    return
  }
  if (sub !== undefined) {
    const inner = isObject(here) ? here : {}
    const innerKey = keyIn(inner, sub) ?? sub
    if (op === 'remove') delete inner[innerKey]
    else inner[innerKey] = value!
    resource[key] = inner
    return
  }
  if (op === 'remove') {
    // Some clients name what of a list is to go as the value.
    if (value !== undefined && Array.isArray(here)) resource[key] = without(here, listOf(value))
    else delete resource[key]
  } else if (LISTS.has(key.toLowerCase())) {
    const list = op === 'add' && Array.isArray(here) ? here : []
    resource[key] = [...without(list, listOf(value!)), ...listOf(value!)]
  } else if (op === 'add' && isObject(here) && isObject(value)) Object.assign(here, value)
  else resource[key] = value!
}

const listOf = (value: Json): Json[] => (Array.isArray(value) ? value : [value])
const idOf = (value: Json): string =>
  JSON.stringify(isObject(value) ? (value.value ?? value) : value).toLowerCase()

function without(list: readonly Json[], gone: readonly Json[]): Json[] {
  const ids = new Set(gone.map(idOf))
  return list.filter((one) => !ids.has(idOf(one)))
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
