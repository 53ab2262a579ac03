/** Which file a text names: by its digest, by a ref of an object with files, or as Langfuse's SDKs name media. */
import { refIn } from '../../contract/ref.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { storedTree } from '../../platform/json/tree.js'
import { keyOf } from '../objects/versions.js'
import type { Parts } from '../parts.js'
import { mediaIdIn, mediaRow } from './media.js'

/** The file of a value with several, as the SDKs name it. */
const CONTENT = 'content'

/**
 * The digest of the file that `uri` names in `project` (`entity/project`); a digest is not checked.
 * @throws 404 for a ref of another project, of an object without a file, or of media that nobody announced
 */
export async function fileNamed(
  { store, finder, objectReader }: Pick<Parts, 'store' | 'finder' | 'objectReader'>,
  project: string,
  uri: string,
): Promise<string> {
  if (!uri.includes(':')) return uri
  const missing = errors.notFound(`File ${uri.slice(0, 200)}`)
  const media = mediaIdIn(uri)
  if (media !== undefined) {
    const row = await mediaRow(store, projectIdOf(project), media)
    if (row === undefined) throw missing
    return row.digest
  }
  const pointer = refIn(uri)
  if (pointer?.kind !== 'object' || pointer.project !== project) throw missing
  const version = await finder.find(projectIdOf(project), pointer.name, pointer.digest)
  const text = version?.deleted_at === 0 ? await objectReader.value(keyOf(version)) : undefined
  const value = text === undefined ? undefined : storedTree(text)
  const files = value instanceof Map ? value.get('files') : undefined
  const names = files instanceof Map ? files : new Map()
  const digest = names.get(CONTENT) ?? (names.size === 1 ? [...names.values()][0] : undefined)
  if (typeof digest !== 'string') throw missing
  return digest
}
