/** Deletes versions of objects: each gets one row with the time. Indexes stay; `latest` moves to the previous version. */

import { DELETE_LIMIT } from '../../contract/objects.js'
import { versions } from '../../domain/objects/versions-sql.js'
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { Parts } from '../parts.js'
import type { VersionFinder } from './find.js'
import { objectsIn, type Version } from './versions.js'

/** The versions of an object to delete. */
export interface Deletion {
  /** internal id */
  project: string
  object: string
  /** digests, indexes or aliases of the versions; empty: all of them */
  names: readonly string[]
  /** whether the request covers a version, such as by its class; default: all */
  isMeant?: (version: Version) => boolean
}

/** Deletes versions and returns them. @throws 404 if any is missing, before anything is deleted */
export async function deleteVersions({ store, finder }: Parts, deletion: Deletion): Promise<Version[]> {
  if (deletion.names.length > DELETE_LIMIT)
    throw errors.badRequest(`Delete at most ${DELETE_LIMIT} versions in one request.`)
  const found = await (deletion.names.length > 0 ? named(finder, deletion) : all(store, deletion))
  const ver = nextVersion()
  const rows = found.map(({ project_id, object_id, digest, written_ver }) => ({
    ...{ project_id, object_id, digest },
    deleted_ver: Math.max(ver, written_ver + 1),
  }))
  await store.insertRows('objects', rows)
  return found
}

async function named(
  finder: VersionFinder,
  { project, object, names, isMeant = () => true }: Deletion,
): Promise<Version[]> {
  const found = await Promise.all(names.map((name) => finder.find(project, object, name)))
  const isThere = (version: Version | undefined) => version?.deleted_at === 0 && isMeant(version)
  const missing = names.filter((_, i) => !isThere(found[i]))
  if (missing.length > 0) throw errors.notFound(`${object}:${missing.join(`, ${object}:`)}`)
  const distinct = new Map(found.map((version) => [version!.digest, version!]))
  return [...distinct.values()].sort((a, b) => a.version_index - b.version_index)
}

async function all(store: Store, { project, object, isMeant = () => true }: Deletion): Promise<Version[]> {
  const live = await store.rows<Version>(
    sql`SELECT * FROM (${versions(objectsIn([{ project, object }]))}) WHERE live ORDER BY version_index`,
  )
  const found = live.filter(isMeant)
  if (found.length === 0) throw errors.notFound(`Object ${object}`)
  return found
}
