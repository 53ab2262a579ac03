/**
 * Finds the first of many values that does not fit its JSON schema. Users write the schemas, so this runs in a thread
 * and has a time limit.
 */
import { parseTree, treeValue } from '../../platform/json/tree.js'
import { type SchemaCheck, schemaCheck, UnusableSchema } from '../../platform/json-schema/check.js'
import { Lru } from '../../platform/lru/lru.js'
import { threadMs } from '../../platform/time/in-time.js'

/** JSON texts of a schema, which is an object, and of a value. */
export interface SchemaAndValue {
  schema: string
  value: string
}

export interface Verdict {
  verdict: 'fits' | 'misfit' | 'no schema' | 'too much work'
  /** index of the value; for `fits`, the number of values */
  at: number
}

/** The limit of processor time for the checks of one list: a busy machine must not refuse values that fit. */
const MILLISECONDS = 1000
/** The size of the cache of checks, by the length of their schemas. */
const REMEMBERED = 16 << 20

type Check = SchemaCheck | UnusableSchema['kind']

const checks = new Lru<{ check: Check; size: number }>(REMEMBERED, ({ size }) => size)

/** The first verdict that is not `fits`, else `fits`. */
export function checkValues(list: readonly SchemaAndValue[]): Verdict {
  // Wall time is cheaper to read, and at least as long.
  const [end, endOfThread] = [performance.now() + MILLISECONDS, threadMs() + MILLISECONDS]
  for (const [at, { schema, value }] of list.entries()) {
    if (performance.now() > end && threadMs() > endOfThread) return { verdict: 'too much work', at }
    const check = checkOf(schema)
    const verdict = typeof check === 'string' ? check : (check(treeValue(parseTree(value)))?.kind ?? 'fits')
    if (verdict !== 'fits') return { verdict, at }
  }
  return { verdict: 'fits', at: list.length }
}

function checkOf(schema: string): Check {
  const remembered = checks.get(schema)
  if (remembered) return remembered.check
  const check = compiled(schema)
  // Don't cache a timeout: the machine may have been busy.
  if (check !== 'too much work') checks.set(schema, { check, size: schema.length + 1024 })
  return check
}

function compiled(schema: string): Check {
  try {
    return schemaCheck(schema)
  } catch (error) {
    if (error instanceof UnusableSchema) return error.kind
    throw error
  }
}
