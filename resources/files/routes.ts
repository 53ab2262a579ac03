/** The file routes, bound. */
import { fileContent, fileCreate } from '../../contract/files.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { Parts } from '../parts.js'
import { readRange } from './range.js'

const BYTES = 'application/octet-stream'

export function fileRoutes({ files, register, workers }: Parts): Bound[] {
  const create = serve(fileCreate, async ({ bytes, headers, principal }) => {
    const { project, name, digest, content } = await workers.run(
      'upload',
      { contentType: headers.get('content-type') ?? '', bytes },
      bytes.length,
    )
    principal.must('write', project)
    await register.note([project])
    await files.write({ project: projectIdOf(project), digest, name, content })
    return { digest }
  })

  const content = serve(fileContent, async ({ body, headers, signal }) => {
    const project = projectIdOf(body.project_id)
    const header = headers.get('range')
    if (header !== undefined) {
      const parts = await files.parts(project, body.digest)
      if (!parts) throw errors.notFound(`File ${body.digest}`)
      const range = readRange(header, parts.bytes)
      if (range === 'unsatisfiable') throw errors.badRange(parts.bytes)
      if (range) {
        const told = `bytes ${range.from}-${range.to - 1}/${parts.bytes}`
        const part = await parts.read(range, signal)
        return new Reply(206, BYTES, part, { 'accept-ranges': 'bytes', 'content-range': told })
      }
    }
    const file = await files.open(project, body.digest, signal)
    if (!file) throw errors.notFound(`File ${body.digest}`)
    return new Reply(200, BYTES, file.content, { 'accept-ranges': 'bytes' })
  })

  return [create, content]
}
