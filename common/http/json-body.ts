/** From a body's bytes to a validated value: bounded nesting, JSON, then the route's schema. Knows nothing of routes. */
import type { z } from 'zod'
import { errors } from '../errors/catalog.js'
import { ValidationError, type Violation } from '../errors/error.js'

/** Deeper JSON than this is refused before anything recursive sees it. */
const MAX_DEPTH = 128
const MAX_VIOLATIONS = 20

/** True if brackets outside strings nest deeper than `limit`. One pass, no parsing. */
function deeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === 0x22) {
      for (i++; i < bytes.length && bytes[i] !== 0x22; i++) if (bytes[i] === 0x5c) i++
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limit) return true
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return false
}

/** Parses a JSON body; throws `BAD_BODY` (400) with the reason. An empty body is `undefined`. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  if (deeperThan(bytes, MAX_DEPTH)) throw errors.badBody(`it nests deeper than ${MAX_DEPTH} levels`)
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
