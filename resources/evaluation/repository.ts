/** Reads, lists and deletes versions of one kind of object for its routes. */

import { collect } from '../../platform/bytes/collect.js'
import { streamRows } from '../../platform/clickhouse/row-stream.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { deleteVersions } from '../objects/delete.js'
import { listVersions } from '../objects/list.js'
import { checkLive } from '../objects/routes.js'
import { type Fields, wireFields } from '../objects/values.js'
import { keyOf, type Version } from '../objects/versions.js'
import type { Parts } from '../parts.js'
import { isOf, type Kind, listOf, viewText } from './kinds.js'

/** A version of a kind, with its value. */
export interface Found {
  version: Version
  value: Fields
}

/** The most versions whose values and sources are held at once. */
const PIECE = 50

export class Repository {
  constructor(private readonly parts: Parts) {}

  /** The live version that `name` (a digest, `latest`, `v<index>`, an alias) selects. @throws 404 */
  async find(kind: Kind, project: string, object: string, name: string): Promise<Found> {
    const version = await this.parts.finder.find(projectIdOf(project), object, name)
    if (version && !isOf(kind, version)) throw errors.notFound(`${kind.name} ${object}:${name}`)
    checkLive(version, `${object}:${name}`)
    const [value] = await wireFields(this.parts, [keyOf(version)])
    return { version, value: value! }
  }

  /** JSON text of a read. @throws 404, also if the file with its source is missing */
  async read(
    kind: Kind,
    project: string,
    object: string,
    name: string,
    signal: AbortSignal,
  ): Promise<string> {
    const { version, value } = await this.find(kind, project, object, name)
    const file = kind.file?.(value)
    const source = file === undefined ? '' : await this.source(version.project_id, file, signal)
    if (source === undefined) throw errors.notFound(`File ${file} of ${object}:${version.digest}`)
    return viewText(kind, version, value, source)
  }

  /** Lines of reads, a few versions at a time. */
  async *list(
    kind: Kind,
    project: string,
    page: { limit: number | null; offset: number | null },
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const { store, limits } = this.parts
    const statement = listVersions(projectIdOf(project), listOf(kind, project, page))
    for await (const some of streamRows<Version>(store, statement, { signal, limits })) {
      for (let from = 0; from < some.length; from += PIECE) {
        const versions = some.slice(from, from + PIECE)
        const values = await wireFields(this.parts, versions.map(keyOf))
        const lines = await Promise.all(
          versions.map(async (version, i) => {
            const file = kind.file?.(values[i]!)
            const source = file === undefined ? '' : await this.source(version.project_id, file, signal)
            return `${viewText(kind, version, values[i]!, source ?? '')}\n`
          }),
        )
        yield Buffer.from(lines.join(''))
      }
    }
  }

  /** Deletes versions, or all of them if no digests are given. @returns how many @throws 404 if any is missing */
  async remove(kind: Kind, project: string, object: string, digests: readonly string[]): Promise<number> {
    const isMeant = (version: Version) => isOf(kind, version)
    const deletion = { project: projectIdOf(project), object, names: [...new Set(digests)], isMeant }
    return (await deleteVersions(this.parts, deletion)).length
  }

  private async source(projectId: string, digest: string, signal: AbortSignal): Promise<string | undefined> {
    const file = await this.parts.files.open(projectId, digest, signal)
    return file && (await collect(file.content)).toString()
  }
}
