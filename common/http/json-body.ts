/** From a body's bytes to a validated value: bounded nesting, JSON, then the route's schema. Knows nothing of routes. */
import type { z } from 'zod'
import { errors } from '../errors/catalog.js'
import { ValidationError, type Violation } from '../errors/error.js'

/** Deeper JSON than this is refused before anything recursive sees it. */
const MAX_DEPTH = 128
/**
 * Values that the main thread parses and validates where a route says nothing else: a schema that is told wrong types
 * takes 2 µs for each, and everybody waits. Lists of ids that long are honest; longer ones are not.
 */
const MOST_VALUES = 1 << 16
const MAX_VIOLATIONS = 20

/**
 * One pass over a body that is to be parsed, before it is. Counts what opens and what a comma follows, so that nothing
 * has more values than this says (keys are none).
 * @throws `TOO_MANY` (413) for more values than `mostValues`, `BAD_BODY` (400) where it nests too deep
 */
function checkShape(bytes: Uint8Array, mostValues: number): void {
  let depth = 0
  let values = 1
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === 0x22) {
      for (i++; i < bytes.length && bytes[i] !== 0x22; i++) if (bytes[i] === 0x5c) i++
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_DEPTH) throw errors.badBody(`it nests deeper than ${MAX_DEPTH} levels`)
      values++
    } else if (byte === 0x7d || byte === 0x5d) depth--
    else if (byte === 0x2c) values++
    if (values > mostValues) throw errors.tooMany('JSON values', mostValues)
  }
}

/**
 * Parses a JSON body. An empty one is `undefined`.
 * @throws `BAD_BODY` (400) with the reason, `TOO_MANY` (413) for more values than one request may make others wait for
 */
export function parseJson(bytes: Uint8Array, mostValues = MOST_VALUES): unknown {
  if (bytes.length === 0) return undefined
  checkShape(bytes, mostValues)
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch (error) {
    throw errors.badBody(`it is not JSON (${(error as Error).message})`)
  }
}

/** Validates `value`; throws {@link ValidationError} (422) whose places start at `where`. */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: 'body' | 'path' | 'query',
): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw new ValidationError(
    result.error.issues.slice(0, MAX_VIOLATIONS).map((issue) => violation(issue, where)),
  )
}

function violation(outer: z.core.$ZodIssue, where: string): Violation {
  const { issue, path } = innermost(outer, outer.path)
  const loc = [where, ...path.map(String)]
  if (isMissing(issue)) return { loc, msg: 'Field required', type: 'missing' }
  return { loc, msg: issue.message, type: issue.code }
}

/**
 * The issue that explains why a union did not fit: that of the branch which got furthest, or the union's own where
 * none got into the value. Other issues as they are.
 */
function innermost(
  issue: z.core.$ZodIssue,
  path: PropertyKey[],
): { issue: z.core.$ZodIssue; path: PropertyKey[] } {
  let best = { issue, path }
  if (issue.code !== 'invalid_union') return best
  for (const [first] of issue.errors) {
    const inner = first && innermost(first, [...path, ...first.path])
    if (inner && !isMissing(inner.issue) && inner.path.length > best.path.length) best = inner
  }
  return best
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return (issue.code === 'invalid_type' || issue.code === 'invalid_union') && issue.input === undefined
}
