/** Checks a value that is stored under a built-in class. Pure. */
import { errors } from '../../../platform/errors/catalog.js'
import type { JsonTree } from '../../../platform/json/tree.js'
import { classesOf } from '../classes.js'
import { builtinNames, builtinShape } from './classes.js'
import { ShapeError } from './shape.js'

/**
 * `val` as stored under the class `name`. A value that names its classes itself is stored unchanged, if they agree.
 * Throws 400 with the place and the problem.
 */
export function asBuiltin(val: JsonTree, name: string): JsonTree {
  const { leaf } = classesOf(val)
  if (leaf !== null) {
    if (leaf === name) return val
    throw errors.badRequest(`The value says that it is a ${leaf}, not a ${name}.`)
  }
  const shape = builtinShape(name)
  if (!shape)
    throw errors.badRequest(
      `Unknown built-in class "${name.slice(0, 100)}"; known are ${builtinNames.join(', ')}.`,
    )
  try {
    return shape(val, 'val')
  } catch (error) {
    if (error instanceof ShapeError) throw errors.badRequest(`${error.message} to be a ${name}.`)
    throw error
  }
}
