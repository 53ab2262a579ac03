/** Objects that a request names, with their values: what evaluations, models and scorers are told by. */

import type { ProjectRegister } from '../../../domain/projects/register.js'
import { errors } from '../../../platform/errors/catalog.js'
import { HeddleError } from '../../../platform/errors/error.js'
import type { Principal } from '../../../platform/http/principal.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { type JsonTree, storedTree } from '../../../platform/json/tree.js'
import { wireTexts } from '../../objects/external-refs.js'
import type { VersionFinder } from '../../objects/find.js'
import type { ObjectReader } from '../../objects/reader.js'
import { targetsOf } from '../targets.js'

export type Value = ReadonlyMap<string, JsonTree>

export interface ObjectValue {
  /** with the digest in place of an alias */
  ref: string
  /** `entity/project` */
  project: string
  name: string
  kind: 'object' | 'op'
  /** of its class; '' for none */
  className: string
  /** in wire form */
  value: Value
}

export interface ObjectParts {
  finder: VersionFinder
  reader: ObjectReader
  register: ProjectRegister
}

/** The objects under `refs`, in order. @throws 400, 403 and 404 as {@link targetsOf} */
export async function objectsAt(
  { finder, reader, register }: ObjectParts,
  principal: Principal,
  refs: readonly string[],
): Promise<ObjectValue[]> {
  const targets = await targetsOf(finder, principal, refs)
  const inside = targets.findIndex(({ pointer }) => pointer.steps.length > 0)
  if (inside >= 0)
    throw errors.badRequest(`${refs[inside]} points into an object; send the ref of the object itself.`)
  const texts = await Promise.all(
    targets.map(({ pointer: { project, name, digest } }) =>
      reader.value({ project: projectIdOf(project), object: name, digest }),
    ),
  )
  const wire = await wireTexts(
    register,
    texts.map((text) => text ?? '{}'),
  )
  return targets.map(({ ref, pointer: { project, name, kind } }, i) => {
    const tree = storedTree(wire[i]!)
    const value: Value = tree instanceof Map ? tree : new Map()
    return { ref, project, name, kind, className: classOf(value), value }
  })
}

/** The class that a value says it is of, '' for none. */
export function classOf(value: JsonTree | Value | undefined): string {
  const name = value instanceof Map ? value.get('_class_name') : undefined
  return typeof name === 'string' ? name : ''
}

/** @param what model, scorer, … */
export function notRunnable(what: string, ref: string, why: string): HeddleError {
  const reason = `The ${what} ${ref} can't be run by the server: ${why}.`
  return new HeddleError('NOT_RUNNABLE', 400, reason, { body: { ref } })
}
