/** Parses the bodies of raw JSON routes without losing a digit and checks them by schema. */
import type { z } from 'zod'
import { errors } from '../errors/catalog.js'
import { ValidationError } from '../errors/error.js'
import { JsonError } from '../json/error.js'
import { rawFields } from '../json/fields.js'
import type { Slice } from '../json/scan.js'
import { type JsonTree, parseTree, setOwn, treeValue } from '../json/tree.js'
import { validate } from './json-body.js'

/**
 * Parses the body as a tree.
 * @param most most values, if it is not parsed in a thread
 * @throws `BAD_BODY` (400) if it isn't JSON or has too many values, 422 if it isn't an object
 */
export function bodyTree(bytes: Uint8Array, most?: number): Map<string, JsonTree> {
  const tree = reading(() => parseTree(bytes, most))
  if (tree instanceof Map) return tree
  throw noObject()
}

/** The offsets of a body's fields. @throws `BAD_BODY` (400) if it isn't JSON, 422 if it isn't an object */
export function bodyFields(bytes: Uint8Array): Map<string, Slice> {
  const fields = reading(() => rawFields(bytes))
  if (fields) return fields
  throw noObject()
}

function noObject(): ValidationError {
  return new ValidationError([{ loc: ['body'], msg: 'Should be an object', type: 'invalid_type' }])
}

/** Runs `read`; turns {@link JsonError}s into `BAD_BODY` (400). */
export function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof JsonError) throw errors.badBody(error.message)
    throw error
  }
}

/**
 * Validates everything around user data: `tree` without the fields named `kept` (an empty list of them checks
 * everything). The caller validates those.
 * @param fill replaces each kept field, so that the schema finds it
 */
export function envelope<S extends z.ZodType>(
  schema: S,
  tree: JsonTree,
  kept: string,
  fill: unknown,
): z.output<S> {
  return validate(schema, outline(tree, kept, fill), 'body')
}

function outline(tree: JsonTree, kept: string, fill: unknown): unknown {
  if (!(tree instanceof Map)) return treeValue(tree)
  const object: Record<string, unknown> = {}
  for (const [key, value] of tree) setOwn(object, key, key === kept ? fill : outline(value, kept, fill))
  return object
}
