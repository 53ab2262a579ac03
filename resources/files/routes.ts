import type { z } from 'zod'
import { fileContent, fileCreate, fileDownload, filesResolveUrl, fileUpload } from '../../contract/files.js'
import type { ByteRange } from '../../platform/artifacts/artifacts.js'
import { errors } from '../../platform/errors/catalog.js'
import { asCaller, service } from '../../platform/fairness/caller.js'
import { originOf } from '../../platform/http/forwarded.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { Parts } from '../parts.js'
import { fileNamed } from './named.js'
import { VALID_MS } from './signed-urls.js'

const BYTES = 'application/octet-stream'

export function fileRoutes(parts: Parts): Bound[] {
  const { files, register, workers, fileUrls } = parts
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

  const resolveUrl = serve(filesResolveUrl, async ({ body, headers }) => {
    const project = projectIdOf(body.project_id)
    const digests = await Promise.all(body.uris.map((uri) => fileNamed(parts, body.project_id, uri)))
    if (digests.length === 0) return { download_urls: [], expires_at: null }
    const there = await files.existing(project, digests)
    const missing = digests.findIndex((digest) => !there.has(digest))
    if (missing >= 0) throw errors.notFound(`File ${body.uris[missing]!.slice(0, 200)}`)
    const expires = Date.now() + VALID_MS
    const origin = originOf(headers)
    const paths = await Promise.all(digests.map((digest) => fileUrls.path({ project, digest, expires })))
    return {
      download_urls: paths.map((path) => `${origin}${path}`),
      expires_at: isoOfMicros(expires * 1000),
    }
  })

  const download = serve(fileDownload, async ({ params: { digest }, query, signal }) => {
    const { project, expires, signature } = query
    await fileUrls.check({ project, digest, expires }, signature)
    const file = await files.open(project, digest, signal)
    if (!file) throw errors.notFound(`File ${digest}`)
    // The bytes are anybody's: a browser must not take them for a page of this service.
    return new Reply(200, BYTES, file.content, { 'content-disposition': 'attachment' })
  })

  const upload = {
    ...serve(fileUpload, async ({ params: { digest }, query: { project, bytes: size }, bytes }) => {
      const content = await workers.run('announced', { digest, size, bytes }, bytes.length)
      await files.write({ project, digest, name: '', content })
      return {}
    }),
    check: async (params: unknown, query: unknown, length: number) => {
      const { digest } = params as z.output<NonNullable<typeof fileUpload.params>>
      const { signature, ...signed } = query as z.output<NonNullable<typeof fileUpload.query>>
      // No key names who asks.
      await asCaller(service('signed-uploads'), () => fileUrls.check({ digest, ...signed }, signature))
      if (length > signed.bytes) throw errors.tooLarge()
    },
  }

  return [create, content, resolveUrl, download, upload]
}

/**
 * The range of `size` bytes that `header` requests (RFC 9110 §14), or `unsatisfiable`. Undefined means everything: there is no header,
 * or it has another unit, several ranges or a syntax error, which a server may ignore.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [, first = '', last = ''] = match
  if (first === '') {
    const count = Math.min(Number(last), size)
    return count === 0 ? 'unsatisfiable' : { from: size - count, to: size }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return undefined
  if (from >= size) return 'unsatisfiable'
  return { from, to: last === '' ? size : Math.min(size, Number(last) + 1) }
}
