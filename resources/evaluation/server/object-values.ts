/** Reads the objects that a request names, with the values that define evaluations, models and scorers. */

import { errors } from '../../../platform/errors/catalog.js'
import { HeddleError } from '../../../platform/errors/error.js'
import type { Principal } from '../../../platform/http/principal.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import type { JsonTree } from '../../../platform/json/tree.js'
import { type Fields, wireFields } from '../../objects/values.js'
import type { Parts } from '../../parts.js'
import { targetsOf } from '../targets.js'

export interface ObjectValue {
  /** the ref, with a digest instead of an alias */
  ref: string
  project: string
  name: string
  kind: 'object' | 'op'
  /** the class's name; '' for none */
  className: string
  /** in wire form */
  value: Fields
}

/** The objects under `refs`, in order. @throws 400, 403 and 404 as {@link targetsOf} */
export async function objectsAt(
  parts: Parts,
  principal: Principal,
  refs: readonly string[],
): Promise<ObjectValue[]> {
  const targets = await targetsOf(parts.finder, principal, refs)
  const inside = targets.findIndex(({ pointer }) => pointer.steps.length > 0)
  if (inside >= 0)
    throw errors.badRequest(`${refs[inside]} points into an object; send the ref of the object itself.`)
  const keys = targets.map(({ pointer: { project, name, digest } }) => ({
    project: projectIdOf(project),
    object: name,
    digest,
  }))
  const values = await wireFields(parts, keys)
  return targets.map(({ ref, pointer: { project, name, kind } }, i) => {
    const value = values[i]!
    return { ref, project, name, kind, className: classOf(value), value }
  })
}

/** The class that a value names, '' for none. */
export function classOf(value: JsonTree | Fields | undefined): string {
  const name = value instanceof Map ? value.get('_class_name') : undefined
  return typeof name === 'string' ? name : ''
}

/** @param what model, scorer, … */
export function notRunnable(what: string, ref: string, why: string): HeddleError {
  const reason = `The ${what} ${ref} can't be run by the server: ${why}.`
  return new HeddleError('NOT_RUNNABLE', 400, reason, { body: { ref } })
}
