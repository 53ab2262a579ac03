/** Checks that the targets of a request's refs exist and that the caller may read them. */

import { refText } from '../../contract/ref.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Principal } from '../../platform/http/principal.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { VersionFinder } from '../objects/find.js'
import { readPointer } from '../refs/pointer.js'
import type { Pointer } from '../refs/resolve.js'

/** A ref as sent, and the version that it resolves to. */
export interface Target {
  pointer: Pointer
  /** the ref, with a digest instead of an alias or index */
  ref: string
}

/**
 * The versions that `refs` point at, in order.
 * @throws 400 for a text that is not a ref of an object or op, 403 if the caller may not read it, 404 with missing ones
 */
export async function targetsOf(
  finder: VersionFinder,
  principal: Principal,
  refs: readonly string[],
): Promise<Target[]> {
  const pointers = refs.map(readPointer)
  for (const project of new Set(pointers.map(({ project }) => project))) principal.must('read', project)
  const versions = await Promise.all(
    pointers.map(({ project, name, digest }) => finder.find(projectIdOf(project), name, digest)),
  )
  const missing = refs.filter((_, i) => versions[i] === undefined || versions[i].deleted_at !== 0)
  if (missing.length > 0) throw missingRefs(missing)
  return pointers.map((pointer, i) => {
    const exact = { ...pointer, digest: versions[i]!.digest }
    return { pointer: exact, ref: refText(exact) }
  })
}

function missingRefs(refs: readonly string[]): HeddleError {
  const some = refs.slice(0, 10).join(', ')
  const reason = `Not found: ${some}; create the missing objects first.`
  const body = { missing_refs: [...new Set(refs)] }
  return new HeddleError('NOT_FOUND', 404, reason, { body })
}
