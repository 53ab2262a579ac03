import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, projectId, rawWrite, readInBody, shortText, timeOut } from './shared.js'

const tag = 'Files'
const read = { ...readInBody, tag } as const
/** Bytes in OpenAPI 3.1. */
const bytes = z.string().meta({ contentMediaType: 'application/octet-stream' })

/** Most bytes of an upload, including its form. */
export const FILE_LIMIT = 64 << 20

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

export const filesResolveUrl = route({
  ...read,
  id: 'files_resolve_url',
  path: '/files/resolve_url',
  summary: 'Give addresses from which files can be read without a key for an hour',
  body: z.object({
    project_id: projectId,
    uris: z
      .array(shortText)
      .max(1000)
      .describe(
        "digests of files, refs of objects that hold a file, or what Langfuse's SDKs put in place of media",
      ),
  }),
  answer: z.object({
    download_urls: z.array(z.string()).describe('in the order of uris'),
    expires_at: timeOut.nullable().default(null),
  }),
})

export const fileDownload = route({
  id: 'file_download',
  method: 'GET',
  path: '/files/download/{digest}',
  tag: 'Files',
  summary: 'Read a file at an address that `/files/resolve_url` gave',
  access: 'public',
  signed: true,
  project: 'none',
  params: z.object({ digest: shortText }),
  query: z.object({ project: shortText, expires: z.coerce.number().int(), signature: shortText }),
  answer: bytes,
  produces: 'application/octet-stream',
})

export const fileUpload = route({
  id: 'file_upload',
  method: 'PUT',
  path: '/files/upload/{digest}',
  tag: 'Files',
  summary: 'Store a file at an address that a route for uploads gave, without a key',
  access: 'public',
  signed: true,
  project: 'none',
  raw: true,
  consumes: ['application/octet-stream'],
  maxBytes: FILE_LIMIT,
  params: z.object({ digest: shortText }),
  query: z.object({
    project: shortText,
    bytes: z.coerce.number().int().describe('how many are sent'),
    expires: z.coerce.number().int(),
    signature: shortText,
  }),
  body: bytes,
  answer: z.object({}),
})
