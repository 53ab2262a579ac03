/** Deletes versions of objects: one row each that says when. Indexes stay, `latest` falls back by itself. */

import { DELETE_LIMIT } from '../../contract/objects.js'
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { nowMicros } from '../../platform/time/iso.js'
import type { VersionFinder } from './find.js'
import { objectsIn, type Version, versions } from './versions.js'

export class ObjectDeleter {
  constructor(
    private readonly store: Store,
    private readonly finder: VersionFinder,
  ) {}

  /**
   * Deletes the versions that `names` name, all if there are none, and returns them.
   * @param isMeant whether a version is one of those that the caller speaks of
   * @throws 404 if any is not there, before anything is deleted
   */
  async delete(
    project: string,
    object: string,
    names: readonly string[],
    isMeant: (version: Version) => boolean = () => true,
  ): Promise<Version[]> {
    if (names.length > DELETE_LIMIT)
      throw errors.badRequest(`Delete at most ${DELETE_LIMIT} versions in one request.`)
    const found =
      names.length > 0
        ? await this.named(project, object, names, isMeant)
        : await this.all(project, object, isMeant)
    const now = nowMicros()
    const rows = found.map(({ project_id, object_id, digest, written_ver }) =>
      JSON.stringify({ project_id, object_id, digest, deleted_ver: Math.max(now, written_ver + 1) }),
    )
    await this.store.insert('objects', 'JSONEachRow', [Buffer.from(rows.join('\n'))])
    return found
  }

  private async named(
    project: string,
    object: string,
    names: readonly string[],
    isMeant: (version: Version) => boolean,
  ): Promise<Version[]> {
    const found = await Promise.all(names.map((name) => this.finder.find(project, object, name)))
    const isThere = (version: Version | undefined) => version?.deleted_at === 0 && isMeant(version)
    const missing = names.filter((_, i) => !isThere(found[i]))
    if (missing.length > 0) throw errors.notFound(`${object}:${missing.join(`, ${object}:`)}`)
    const distinct = new Map(found.map((version) => [version!.digest, version!]))
    return [...distinct.values()].sort((a, b) => a.version_index - b.version_index)
  }

  private async all(
    project: string,
    object: string,
    isMeant: (version: Version) => boolean,
  ): Promise<Version[]> {
    const live = await this.store.rows<Version>(
      sql`SELECT * FROM (${versions(objectsIn([{ project, object }]))}) WHERE live ORDER BY version_index`,
    )
    const found = live.filter(isMeant)
    if (found.length === 0) throw errors.notFound(`Object ${object}`)
    return found
  }
}
