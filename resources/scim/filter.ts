/** Filters of SCIM (RFC 7644 §3.4.2.2): reads them, and tells which resources match. Pure. */
import { errors } from '../../platform/errors/catalog.js'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Whether a resource, or a value of a list, matches. */
export type Matches = (value: Json) => boolean

const COMPARE: Readonly<Record<string, (one: string | number, other: string | number) => boolean>> = {
  eq: (one, other) => one === other,
  co: (one, other) => String(one).includes(String(other)),
  sw: (one, other) => String(one).startsWith(String(other)),
  ew: (one, other) => String(one).endsWith(String(other)),
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
  lt: (one, other) => one < other,
  le: (one, other) => one <= other,
}
/** What is compared as it is written. */
const EXACT = new Set(['id', 'externalid'])
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+)/y
const MOST_TOKENS = 200

/** Reads a filter. @throws `SCIM_FILTER` (400) */
export function parseFilter(text: string): Matches {
  const tokens = tokensOf(text)
  let at = 0
  const bad = () => errors.scimFilter(text.slice(0, 200))
  const next = (): string => {
    const token = tokens[at++]
    if (token === undefined) throw bad()
    return token
  }
  const word = (expected: string): boolean => {
    if (tokens[at]?.toLowerCase() !== expected) return false
    at++
    return true
  }
  const either = (): Matches => {
    let left = both()
    while (word('or')) {
      const [one, other] = [left, both()]
      left = (value) => one(value) || other(value)
    }
    return left
  }
  const both = (): Matches => {
    let left = single()
    while (word('and')) {
      const [one, other] = [left, single()]
      left = (value) => one(value) && other(value)
    }
    return left
  }
  const single = (): Matches => {
    if (word('not')) {
      if (tokens[at] !== '(') throw bad()
      const inner = single()
      return (value) => !inner(value)
    }
    if (word('(')) {
      const inner = either()
      if (next() !== ')') throw bad()
      return inner
    }
    const path = pathIn(next())
    if (path.length === 0) throw bad()
    if (word('[')) {
      const inner = either()
      if (next() !== ']') throw bad()
      return (value) => valuesAt(value, path).some(inner)
    }
    const operator = next().toLowerCase()
    if (operator === 'pr') return (value) => valuesAt(value, path).some(isPresent)
    const operand = literal(next())
    const isExact = EXACT.has(path.at(-1)!.toLowerCase())
    const compare = operator === 'ne' ? COMPARE.eq : COMPARE[operator]
    if (compare === undefined) throw bad()
    const one = (value: Json): boolean => {
      const [left, right] = [comparable(value, isExact), comparable(operand, isExact)]
      return typeof left === typeof right && left !== null && compare(left, right!)
    }
    const some: Matches = (value) => {
      const found = valuesAt(value, path)
      return operand === null ? !found.some(isPresent) : found.some(one)
    }
    return operator === 'ne' ? (value) => !some(value) : some
  }
  const literal = (token: string): Json => {
    try {
      return JSON.parse(/^(true|false|null)$/i.test(token) ? token.toLowerCase() : token) as Json
    } catch {
      throw bad()
    }
  }
  const whole = either()
  if (at < tokens.length) throw bad()
  return whole
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text)
    if (found === null || tokens.length === MOST_TOKENS) throw errors.scimFilter(text.slice(0, 200))
    tokens.push(found[1]!)
  }
  return tokens
}

/** The names of `urn:…:User:name.givenName`, without the schema. */
export function pathIn(text: string): string[] {
  const colon = text.lastIndexOf(':')
  const names = (text.toLowerCase().startsWith('urn:') ? text.slice(colon + 1) : text).split('.')
  return names.every((name) => /^[$A-Za-z][\w$-]*$/.test(name)) ? names : []
}

/** The member of an object by its name, in any case. */
export function keyIn(value: JsonObject, name: string): string | undefined {
  if (Object.hasOwn(value, name)) return name
  return Object.keys(value).find((key) => key.toLowerCase() === name.toLowerCase())
}

/** The values at a path: lists are looked through; of values that are objects, what `value` has is meant. */
function valuesAt(value: Json, path: readonly string[]): Json[] {
  const [name, ...rest] = path
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, path))
  if (name === undefined) return [value]
  if (value === null || typeof value !== 'object') return []
  const key = keyIn(value, name)
  if (key === undefined) return []
  const found = value[key]!
  if (rest.length > 0) return valuesAt(found, rest)
  return Array.isArray(found) ? found : [found]
}

function comparable(value: Json, isExact: boolean): string | number | null {
  if (typeof value === 'string') return isExact ? value : value.toLowerCase()
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return String(value)
  if (value !== null && !Array.isArray(value)) return comparable(value.value ?? null, isExact)
  return null
}

const isPresent = (value: Json): boolean =>
  value !== null && value !== '' && (typeof value !== 'object' || Object.keys(value).length > 0)
