/** Which version of a prompt object a call means. Pure. */
import type { Obj } from '../../api/objects'

type Version = Pick<Obj, 'version_index' | 'digest' | 'aliases'>

/**
 * The object's version that calls name so: `v0` and on, as here; `1` and on, as Langfuse's SDKs count; a digest, whole or its
 * beginning; a name of its own that one version has now. Undefined: it is none of them.
 */
export function versionOf<One extends Version>(name: string, versions: readonly One[]): One | undefined {
  const [, v, number] = /^(v?)(\d{1,9})$/.exec(name) ?? []
  if (number !== undefined) {
    const index = v === 'v' ? Number(number) : Number(number) - 1
    return versions.find(({ version_index }) => version_index === index)
  }
  return versions.find(
    ({ digest, aliases }) => (name.length >= 8 && digest.startsWith(name)) || aliases?.includes(name),
  )
}
