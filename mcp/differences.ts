/** Where two JSON values differ. Pure. */
import { isObject } from '../platform/json/object.js'

export interface Difference {
  path: string
  a?: unknown
  b?: unknown
}

/** Values below this depth are compared whole. */
const DEEPEST = 50

/** Every place where `a` and `b` differ, in their order; a member that only one has lacks on the other's side. */
export function differences(a: unknown, b: unknown, path = '', depth = 0): Difference[] {
  const [one, other] = [membersOf(a), membersOf(b)]
  if (one === undefined || other === undefined || Array.isArray(a) !== Array.isArray(b) || depth >= DEEPEST)
    return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ path, a, b }]
  const names = new Set([...one.keys(), ...other.keys()])
  return [...names].flatMap((name) =>
    differences(one.get(name), other.get(name), path === '' ? name : `${path}.${name}`, depth + 1),
  )
}

function membersOf(value: unknown): Map<string, unknown> | undefined {
  return Array.isArray(value) || isObject(value) ? new Map(Object.entries(value)) : undefined
}
