/** The object routes, bound. */
import { objCreate, objRead } from '../../common/contract/objects.js'
import { errors } from '../../common/errors/catalog.js'
import { HeddleError } from '../../common/errors/error.js'
import { type Bound, Reply, serve } from '../../common/http/request.js'
import { projectIdOf } from '../../common/ids/project.js'
import type { ProjectRegister } from '../../common/projects/register.js'
import { isoOfMicros } from '../../common/time/iso.js'
import { objectText } from './answer.js'
import { readCreation } from './create.js'
import type { ObjectReader } from './reader.js'
import type { Version } from './versions.js'
import { wantedBy } from './which.js'
import { wireTexts } from './wire.js'
import type { ObjectWriter } from './writer.js'

export interface ObjectParts {
  reader: ObjectReader
  writer: ObjectWriter
  register: ProjectRegister
}

export function objectRoutes({ reader, writer, register }: ObjectParts): Bound[] {
  const create = serve(objCreate, async ({ bytes, principal }) => {
    const { project, object, digest, text, classes, projects } = readCreation(bytes)
    principal.must('write', project)
    await register.note(projects)
    await writer.create({
      project: projectIdOf(project),
      object,
      digest,
      classes,
      text,
      userId: principal.userId,
    })
    return { digest, object_id: object }
  })

  const read = serve(objRead, async ({ body }) => {
    const project = projectIdOf(body.project_id)
    const object = body.object_id
    const version = await reader.version(wantedBy(body.digest, project, object))
    if (!version) throw errors.notFound(`Object ${object}:${body.digest}`)
    if (version.deleted_at !== 0) throw deleted(version)
    const val = body.metadata_only ? '{}' : await wireValue(reader, register, version)
    const text = objectText(version, { project: body.project_id, val })
    return new Reply(200, 'application/json', `{"obj":${text}}`)
  })

  return [create, read]
}

/** The value of a version in wire form. */
async function wireValue(reader: ObjectReader, register: ProjectRegister, version: Version): Promise<string> {
  const key = { project: version.project_id, object: version.object_id, digest: version.digest }
  const [val] = await wireTexts(register, [(await reader.value(key)) ?? 'null'])
  return val ?? 'null'
}

function deleted({ object_id, version_index, deleted_at }: Version): HeddleError {
  const at = isoOfMicros(deleted_at)
  return new HeddleError('NOT_FOUND', 404, `${object_id}:v${version_index} was deleted at ${at}.`, {
    body: { deleted_at: at },
  })
}
