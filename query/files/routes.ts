/** The file routes, bound. */
import { fileContent, fileCreate } from '../../common/contract/files.js'
import { errors } from '../../common/errors/catalog.js'
import { type Bound, Reply, serve } from '../../common/http/request.js'
import { projectIdOf } from '../../common/ids/project.js'
import type { ProjectRegister } from '../../common/projects/register.js'
import { readUpload } from './form.js'
import type { FileStore } from './store.js'

export interface FileParts {
  files: FileStore
  register: ProjectRegister
}

export function fileRoutes({ files, register }: FileParts): Bound[] {
  const create = serve(fileCreate, async ({ bytes, headers, principal }) => {
    const { project, name, digest, content } = readUpload(headers.get('content-type') ?? '', bytes)
    principal.must('write', project)
    await register.note([project])
    await files.write({ project: projectIdOf(project), digest, name, content })
    return { digest }
  })

  const content = serve(fileContent, async ({ body, signal }) => {
    const file = await files.open(projectIdOf(body.project_id), body.digest, signal)
    if (!file) throw errors.notFound(`File ${body.digest}`)
    return new Reply(200, 'application/octet-stream', file.content)
  })

  return [create, content]
}
