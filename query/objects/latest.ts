/** The newest value of an object, for those who look for one by its name. Knows no wire form. */
import { projectIdOf } from '../../common/ids/project.js'
import type { LatestObject } from '../../common/providers/provider.js'
import type { ObjectReader } from './reader.js'

/** Reads through `reader`. */
export function latestObject(reader: ObjectReader): LatestObject {
  return async (project, object) => {
    const key = { project: projectIdOf(project), object }
    const version = await reader.version({ ...key, by: 'latest' })
    if (version?.deleted_at !== 0) return undefined
    const text = await reader.value({ ...key, digest: version.digest })
    return text === undefined ? undefined : { leafClass: version.leaf_class, text }
  }
}
