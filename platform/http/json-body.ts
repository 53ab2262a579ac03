/** Parses and validates a body: bounded nesting, JSON, then the route's schema. */
import type { z } from 'zod'
import { bufferOf } from '../bytes/buffer-of.js'
import { errors } from '../errors/catalog.js'
import { ValidationError, type Violation } from '../errors/error.js'
import { FIRST_ONLY, stopsEarly } from './first-violation.js'

/** Deeper JSON is refused before any recursive code sees it. */
const MAX_DEPTH = 128
/**
 * The most values that the main thread parses and validates by default: a schema takes 2 µs per value of a wrong type,
 * which blocks all requests. Lists of ids of this length are legitimate; longer ones are not.
 */
const MOST_VALUES = 1 << 16
const MAX_VIOLATIONS = 20
/** A message may quote the request. */
const LONGEST_MESSAGE = 1000

/**
 * Scans a body before it is parsed. Counts opening brackets and commas, so that the count is never less than the number
 * of values (keys don't count).
 * @throws `TOO_MANY` (413) for more than `mostValues` values, `BAD_BODY` (400) if it is nested too deep
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
 * Parses a JSON body; an empty one is `undefined`.
 * @throws `BAD_BODY` (400) with the reason, `TOO_MANY` (413) for more than `mostValues` values
 */
export function parseJson(bytes: Uint8Array, mostValues = MOST_VALUES): unknown {
  if (bytes.length === 0) return undefined
  checkShape(bytes, mostValues)
  try {
    return JSON.parse(bufferOf(bytes).toString('utf8'))
  } catch (error) {
    throw errors.badBody(`it is not JSON (${(error as Error).message})`)
  }
}

/** For a value with more parts only the first violation is reported; finding all takes too long. */
const MOST_PARTS = 2000

/**
 * Validates `value`; throws {@link ValidationError} (422) with locations that start at `where`. An invalid value costs
 * little more than a valid one: validation stops at the first violation, and reports others only for a small value.
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

/** What is left of `most` parts after `value`: each value is a part, and every thousand characters. */
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
  return { loc, msg: messageOf(issue).slice(0, LONGEST_MESSAGE), type: issue.code }
}

function messageOf(issue: z.core.$ZodIssue): string {
  const isTime = issue.code === 'invalid_format' && issue.format === 'datetime'
  return isTime ? 'Give a time with its offset, such as 2026-01-31T12:00:00Z' : issue.message
}

/**
 * The issue that best explains why a union did not match: the issue of the branch that got furthest, or the union's own
 * if no branch got into the value. Returns other issues unchanged.
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
