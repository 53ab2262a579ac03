/** From a body's bytes to a validated value: bounded nesting, JSON, then the route's schema. Knows nothing of routes. */
import type { z } from 'zod'
import { errors } from '../errors/catalog.js'
import { ValidationError, type Violation } from '../errors/error.js'
import { FIRST_ONLY, stopsEarly } from './first-violation.js'

/** Deeper JSON than this is refused before anything recursive sees it. */
const MAX_DEPTH = 128
/**
 * Values that the main thread parses and validates where a route says nothing else: a schema that is told wrong types
 * takes 2 µs for each, and everybody waits. Lists of ids that long are honest; longer ones are not.
 */
const MOST_VALUES = 1 << 16
const MAX_VIOLATIONS = 20
/** A message may repeat what was sent. */
const LONGEST_MESSAGE = 1000

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
      if (++depth > MAX_DEPTH) throw errors.badBody(`it is nested deeper than ${MAX_DEPTH} levels`)
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

/** A value with more parts than this is told the first place only that doesn't fit: all of them are not looked for. */
const MOST_PARTS = 2000

/**
 * Validates `value`; throws {@link ValidationError} (422) whose places start at `where`. However much does not fit, it
 * costs little more than what fits: the first violation ends it, and others are looked for in a small value alone.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: 'body' | 'path' | 'query',
): z.output<S> {
  stopsEarly(schema)
  const first = schema.safeParse(value, FIRST_ONLY)
  if (first.success) return first.data
  const all = partsLeft(value, MOST_PARTS) > 0 ? schema.safeParse(value, { reportInput: true }) : first
  const issues = (all.success ? first : all).error?.issues ?? []
  throw new ValidationError(issues.slice(0, MAX_VIOLATIONS).map((issue) => violation(issue, where)))
}

/** How many of `most` parts (values, and their texts' lengths by the thousand) are left over by `value`. */
function partsLeft(value: unknown, most: number): number {
  let left = most - 1
  if (typeof value === 'string') return left - value.length / 1000
  if (typeof value !== 'object' || value === null) return left
  for (const key in value) {
    left = partsLeft((value as Record<string, unknown>)[key], left)
    if (left <= 0) return left
  }
  return left
}

function violation(outer: z.core.$ZodIssue, where: string): Violation {
  const { issue, path } = innermost(outer, outer.path)
  const loc = [where, ...path.map((part) => String(part).slice(0, LONGEST_MESSAGE))]
  if (isMissing(issue)) return { loc, msg: 'Field required', type: 'missing' }
  return { loc, msg: issue.message.slice(0, LONGEST_MESSAGE), type: issue.code }
}

/**
 * The issue that explains why a union did not fit: the issue of the branch which got furthest, or the union's own where
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
