/** Declarations of the file routes. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, projectId, rawWrite, readInBody, shortText } from './shared.js'

const tag = 'Files'
const read = { ...readInBody, tag } as const
/** Bytes in OpenAPI 3.1. */
const bytes = z.string().meta({ contentMediaType: 'application/octet-stream' })

/** Most bytes of an upload, including its form. */
const FILE_LIMIT = 64 << 20

export const fileCreate = route({
  ...rawWrite,
  id: 'file_create',
  path: '/file/create',
  aliases: ['/files/create'],
  tag,
  summary: 'Store a file under the digest of its bytes',
  consumes: ['multipart/form-data'],
  maxBytes: FILE_LIMIT,
  body: z.object({ project_id: projectId, file: bytes, expected_digest: z.string().nullish() }),
  answer: component('FileCreateRes', { digest: z.string() }),
})

export const fileContent = route({
  ...read,
  id: 'file_content',
  path: '/file/content',
  aliases: ['/files/content'],
  summary: 'Read a file, or a part of it with a Range header',
  body: component('FileContentReadReq', { project_id: projectId, digest: shortText }),
  answer: bytes,
  produces: 'application/octet-stream',
  ranges: true,
})

export const filesStats = route({
  ...read,
  id: 'files_stats',
  path: '/files/query_stats',
  aliases: ['/files/stats'],
  summary: 'Sum the sizes of the distinct files of a project',
  body: component('FilesStatsReq', { project_id: projectId }),
  answer: component('FilesStatsRes', { total_size_bytes: z.int() }),
})
