import { objCreate, objDelete, objRead, objsQuery } from '../../contract/objects.js'
import { streamRows } from '../../platform/clickhouse/row-stream.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { Parts } from '../parts.js'
import { changingObject, checkIsLatest } from './changing.js'
import { deleteVersions } from './delete.js'
import { listVersions } from './list.js'
import { objectPage, objectTexts } from './page.js'
import { looksLikeDigest } from './selection.js'
import type { Version } from './versions.js'

export function objectRoutes(parts: Parts): Bound[] {
  const { store, objectReader, objectWriter, finder, register, workers, leases, limits } = parts

  const create = serve(objCreate, async ({ bytes, principal }) => {
    const { project, object, digest, text, classes, base, projects } = await workers.run('object', bytes)
    principal.must('write', project)
    await register.note(projects)
    const key = { project: projectIdOf(project), object }
    const write = () => objectWriter.create({ ...key, digest, classes, text, userId: principal.userId })
    if (base === undefined) await write()
    else
      await changingObject(leases, key, async () => {
        await checkIsLatest(objectReader, key, base)
        await write()
      })
    return { digest, object_id: object }
  })

  const read = serve(objRead, async ({ body }) => {
    const key = { project: projectIdOf(body.project_id), object: body.object_id, digest: body.digest }
    if (!body.metadata_only && looksLikeDigest(body.digest)) objectReader.expect(key)
    const version = await finder.find(key.project, key.object, key.digest)
    checkLive(version, `${body.object_id}:${body.digest}`)
    const [text] = await objectTexts(parts, [version], {
      project: body.project_id,
      metadataOnly: body.metadata_only === true,
      sizes: false,
      labels: body.include_tags_and_aliases === true,
    })
    return new Reply(200, 'application/json', `{"obj":${text}}`)
  })

  const query = serve(objsQuery, async ({ body, signal }) => {
    const statement = listVersions(projectIdOf(body.project_id), body)
    const versions = streamRows<Version>(store, statement, { signal, limits })
    const page = objectPage(parts, versions, {
      project: body.project_id,
      metadataOnly: body.metadata_only === true,
      sizes: body.include_storage_size === true,
      labels: body.include_tags_and_aliases === true,
    })
    return new Reply(200, 'application/json', page)
  })

  const remove = serve(objDelete, async ({ body }) => {
    const gone = await deleteVersions(parts, {
      project: projectIdOf(body.project_id),
      object: body.object_id,
      names: body.digests ?? [],
    })
    return {
      num_deleted: gone.length,
      deleted_versions: gone.map(({ digest, base_class, leaf_class }) => ({
        digest,
        base_object_class: base_class || null,
        leaf_object_class: leaf_class || null,
      })),
    }
  })

  return [create, read, query, remove]
}

/** Throws 404 unless `version` is live, with the time of its deletion if it was deleted. */
export function checkLive(version: Version | undefined, name: string): asserts version is Version {
  if (!version) throw errors.notFound(`Object ${name}`)
  const { object_id, version_index, deleted_at } = version
  if (deleted_at !== 0) throw errors.deleted(`${object_id}:v${version_index}`, isoOfMicros(deleted_at))
}
