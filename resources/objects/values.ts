/** Values of versions in wire form, in which refs name projects. */
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

/** JSON texts of values, in order; `null` for a missing one. */
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

/** The fields of values, in order; no fields for a value that is not an object. */
export async function wireFields(parts: ValueParts, keys: readonly VersionKey[]): Promise<Fields[]> {
  return (await wireValues(parts, keys)).map((text) => {
    const tree = storedTree(text)
    return tree instanceof Map ? tree : new Map()
  })
}
