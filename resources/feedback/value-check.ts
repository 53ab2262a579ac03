/**
 * Finds the first value of many that does not fit its JSON schema. Users wrote the schemas, so this is work for a
 * thread, and it ends after a moment. Knows nothing of annotations.
 */
import { parseTree, treeValue } from '../../platform/json/tree.js'
import { type SchemaCheck, schemaCheck, UnusableSchema } from '../../platform/json-schema/check.js'
import { Lru } from '../../platform/lru/lru.js'

/** JSON texts: of an object, and of anything. */
export interface SchemaAndValue {
  schema: string
  value: string
}

export interface Verdict {
  verdict: 'fits' | 'misfit' | 'no schema' | 'too much work'
  /** position of what it is about; of `fits`, the number of values */
  at: number
}

/** What the checks of one list may take together. */
const MILLISECONDS = 1000
/** Checks remembered, by the length of their schemas. */
const REMEMBERED = 16 << 20

type Check = SchemaCheck | UnusableSchema['kind']

const checks = new Lru<{ check: Check; size: number }>(REMEMBERED, ({ size }) => size)

/** The first verdict that is not `fits`, else that. */
export function checkValues(list: readonly SchemaAndValue[]): Verdict {
  const end = performance.now() + MILLISECONDS
  for (const [at, { schema, value }] of list.entries()) {
    const check = checkOf(schema)
    const verdict = typeof check === 'string' ? check : (check(treeValue(parseTree(value)))?.kind ?? 'fits')
    if (verdict !== 'fits') return { verdict, at }
    if (performance.now() > end) return { verdict: 'too much work', at }
  }
  return { verdict: 'fits', at: list.length }
}

function checkOf(schema: string): Check {
  const remembered = checks.get(schema)
  if (remembered) return remembered.check
  const check = compiled(schema)
  // The machine may have been busy.
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
