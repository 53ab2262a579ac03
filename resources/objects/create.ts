/** Makes a new version from the body of `/obj/create`: checks, digest, classes. Pure. */
import { OBJECT_ID, OBJECT_ID_LIMIT } from '../../contract/limits.js'
import { objCreate } from '../../contract/objects.js'
import { objectDigest } from '../../domain/refs/digest.js'
import { refsToInternal } from '../../domain/refs/refs.js'
import { errors } from '../../platform/errors/catalog.js'
import { ValidationError } from '../../platform/errors/error.js'
import { bodyTree, envelope, reading } from '../../platform/http/lossless.js'
import { type JsonTree, treeText } from '../../platform/json/tree.js'
import { asBuiltin } from './builtin/apply.js'
import { type Classes, classesOf } from './classes.js'

/** Letters and digits of any script, as the SDKs leave them in the names of objects. */

/** A request to `/obj/create`. */
export interface Incoming {
  project: string
  object: string
  digest: string
  text: string
  classes: Classes
  /** the digest that must be the latest, '' for none */
  base?: string
  /** this project and the projects of refs in the value */
  projects: Set<string>
}

/** Whether an object can have this name. */
export function isObjectId(name: string): boolean {
  return OBJECT_ID.test(name)
}

/** Throws `BAD_NAME` (422) unless `name` is valid for an object. */
export function checkObjectId(name: string): void {
  if (!isObjectId(name))
    throw errors.badName(
      `"${name.slice(0, 200)}" can't name an object: use 1 to ${OBJECT_ID_LIMIT} letters, digits, "_", "." or "-".`,
    )
}

/** Reads and checks a body; throws 400, 409 or 422. */
export function readCreation(bytes: Uint8Array): Incoming {
  const tree = bodyTree(bytes)
  const { obj } = envelope(objCreate.body!, tree, 'val', true)
  checkObjectId(obj.object_id)
  const projects = new Set([obj.project_id])
  const builtin = obj.builtin_object_class ?? obj.set_base_object_class
  const val = builtin === null ? valOf(tree) : reading(() => asBuiltin(valOf(tree), builtin))
  const internal = refsToInternal(val, (name) => projects.add(name))
  const digest = reading(() => objectDigest(internal))
  if (obj.expected_digest !== null && obj.expected_digest !== digest)
    throw errors.conflict(`The value's digest is ${digest}, not ${obj.expected_digest}.`)
  return {
    project: obj.project_id,
    object: obj.object_id,
    digest,
    text: treeText(internal),
    classes: classesOf(internal),
    ...(obj.base_digest !== null && { base: obj.base_digest }),
    projects,
  }
}

function valOf(tree: Map<string, JsonTree>): JsonTree {
  const obj = tree.get('obj') as Map<string, JsonTree>
  const val = obj.get('val')
  if (val !== undefined) return val
  throw new ValidationError([{ loc: ['body', 'obj', 'val'], msg: 'Field required', type: 'missing' }])
}
