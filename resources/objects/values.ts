/** Values of versions as answers give them: refs in them name projects. */
import type { ProjectRegister } from '../../domain/projects/register.js'
import { type JsonTree, storedTree } from '../../platform/json/tree.js'
import { wireTexts } from './external-refs.js'
import type { ObjectReader } from './reader.js'
import type { VersionKey } from './versions.js'

export interface ValueParts {
  objectReader: ObjectReader
  register: ProjectRegister
}

/** The fields of an object's value. */
export type Fields = ReadonlyMap<string, JsonTree>

/** JSON texts of values, in order; `null` for one that is not there. */
export async function wireValues(
  { objectReader, register }: ValueParts,
  keys: readonly VersionKey[],
): Promise<string[]> {
  const texts = await Promise.all(keys.map((key) => objectReader.value(key)))
  const wire = await wireTexts(
    register,
    texts.map((text) => text ?? null),
  )
  return wire.map((text) => text ?? 'null')
}

/** The fields of values, in order; none of a value that is no object. */
export async function wireFields(parts: ValueParts, keys: readonly VersionKey[]): Promise<Fields[]> {
  return (await wireValues(parts, keys)).map((text) => {
    const tree = storedTree(text)
    return tree instanceof Map ? tree : new Map()
  })
}
