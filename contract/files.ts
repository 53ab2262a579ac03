/** Declarations of the file routes. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { projectId } from './shared.js'

const tag = 'Files'
/** Bytes, as OpenAPI 3.1 says it. */
const bytes = z.string().meta({ contentMediaType: 'application/octet-stream' })

/** Most bytes of an upload, its form included. */
const FILE_LIMIT = 64 << 20

export const fileCreate = route({
  id: 'file_create',
  method: 'POST',
  path: '/file/create',
  aliases: ['/files/create'],
  tag,
  summary: 'Store a file under the digest of its bytes',
  access: 'write',
  project: 'handler',
  raw: true,
  consumes: ['multipart/form-data'],
  maxBytes: FILE_LIMIT,
  body: z.object({ project_id: projectId, file: bytes, expected_digest: z.string().nullish() }),
  answer: z.object({ digest: z.string() }).meta({ id: 'FileCreateRes' }),
})

export const fileContent = route({
  id: 'file_content',
  method: 'POST',
  path: '/file/content',
  aliases: ['/files/content'],
  tag,
  summary: 'Read the bytes of a file, or with a Range header a part of them',
  access: 'read',
  project: 'body',
  body: z.object({ project_id: projectId, digest: z.string() }).meta({ id: 'FileContentReadReq' }),
  answer: bytes,
  produces: 'application/octet-stream',
  ranges: true,
})

export const filesStats = route({
  id: 'files_stats',
  method: 'POST',
  path: '/files/query_stats',
  aliases: ['/files/stats'],
  tag,
  summary: 'Sum the sizes of the distinct files of a project',
  access: 'read',
  project: 'body',
  body: z.object({ project_id: projectId }).meta({ id: 'FilesStatsReq' }),
  answer: z.object({ total_size_bytes: z.int() }).meta({ id: 'FilesStatsRes' }),
})
