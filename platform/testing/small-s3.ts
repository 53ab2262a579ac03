/** For tests only: a minimal S3 store (objects in memory, ranges, multipart uploads) and a minimal STS. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Both answer in XML. */
const xml = (text: string) => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`)

export interface SmallS3 {
  endpoint: string
  /** by path: /bucket/key */
  objects: Map<string, Buffer>
  /** requests received, as `PUT /bucket/key?partNumber=1` */
  asked: string[]
  /** parts of uploads neither completed nor aborted */
  open: Map<string, Map<number, Buffer>>
  close(): void
}

/** Rejects requests not signed with `key`. A path containing `broken` returns 500. */
export async function startSmallS3(key: { id: string; token?: string }): Promise<SmallS3> {
  const objects = new Map<string, Buffer>()
  const open = new Map<string, Map<number, Buffer>>()
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const url = new URL(request.url ?? '', 'http://s3')
    const query = url.searchParams
    const path = url.pathname
    query.delete('x-id')
    asked.push(`${request.method} ${path}${query.size > 0 ? `?${query}` : ''}`)
    const done = (status: number, content?: Buffer, headers = {}) => {
      response.writeHead(status, headers).end(content)
    }
    const signed = new RegExp(
      `Credential=${key.id}/\\d{8}/here/s3/aws4_request, ?SignedHeaders=[\\w;-]*host;[\\w;-]*, ?Signature=[0-9a-f]{64}$`,
    ).test(request.headers.authorization ?? '')
    if (!signed || request.headers['x-amz-security-token'] !== key.token) return done(403, quoted(request))
    if (path.includes('broken')) return done(500)
    if (query.has('list-type')) return done(200, listed(objects, query))
    if (request.method === 'PUT' && request.headers['content-length'] === undefined) return done(411)
    const upload = open.get(query.get('uploadId') ?? '')
    if (request.method === 'POST' && query.has('uploads')) {
      const id = String(asked.length)
      open.set(id, new Map())
      return done(200, xml(`<R><UploadId>${id}</UploadId></R>`))
    }
    if (request.method === 'PUT' && upload) {
      upload.set(Number(query.get('partNumber')), body)
      return done(200, undefined, { etag: `"${query.get('partNumber')}"` })
    }
    if (request.method === 'POST' && upload) {
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number))
      objects.set(path, Buffer.concat(named.map((number) => upload.get(number)!)))
      open.delete(query.get('uploadId')!)
      return done(200, xml('<R></R>'))
    }
    if (request.method === 'DELETE' && query.has('uploadId'))
      return done(open.delete(query.get('uploadId')!) ? 204 : 404)
    if (request.method === 'PUT') {
      objects.set(path, body)
      return done(200)
    }
    if (request.method === 'DELETE') return done(objects.delete(path) ? 204 : 404)
    const object = objects.get(path)
    if (!object) return done(404)
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    return range ? done(206, object.subarray(Number(range[1]), Number(range[2]) + 1)) : done(200, object)
  })
  return { endpoint: await listening(server), objects, asked, open, close: () => closed(server) }
}

export interface SmallSts {
  endpoint: string
  /** the fields of each request */
  asked: URLSearchParams[]
  close(): void
}

/** Returns `key` for the web identity token `wanted`, else 403. */
export async function startSmallSts(
  wanted: string,
  key: { id: string; secret: string; token: string },
): Promise<SmallSts> {
  const asked: URLSearchParams[] = []
  const server = createServer(async (request, response) => {
    const fields = new URLSearchParams((await bodyOf(request)).toString())
    asked.push(fields)
    if (fields.get('WebIdentityToken') !== wanted) {
      const error = `<Code>InvalidIdentityToken</Code><Message>${fields.get('WebIdentityToken')}</Message>`
      response.writeHead(400).end(xml(`<ErrorResponse><Error>${error}</Error></ErrorResponse>`))
      return
    }
    const credentials = `<AccessKeyId>${key.id}</AccessKeyId><SecretAccessKey>${key.secret}</SecretAccessKey><SessionToken>${key.token}</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration>`
    const name = `${fields.get('Action')}Re`
    response.end(
      xml(
        `<${name}sponse><${name}sult><Credentials>${credentials}</Credentials></${name}sult></${name}sponse>`,
      ),
    )
  })
  return { endpoint: await listening(server), asked, close: () => closed(server) }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** One key per page; a real store returns a thousand. */
function listed(objects: Map<string, Buffer>, query: URLSearchParams): Buffer {
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].map((one) => one.slice('/bucket/'.length))
  const [key, more] = keys.filter((one) => one.startsWith(query.get('prefix') ?? '') && one > after).sort()
  const contents = key === undefined ? '' : `<Contents><Key>${key}</Key></Contents>`
  const next =
    more === undefined
      ? '<IsTruncated>false</IsTruncated>'
      : `<IsTruncated>true</IsTruncated><NextContinuationToken>${key}</NextContinuationToken>`
  return xml(`<ListBucketResult>${contents}${next}</ListBucketResult>`)
}

/** Refuses as stores do: quoting the caller's key and signature. */
function quoted({ headers }: IncomingMessage): Buffer {
  const key = /Credential=([^/]*)/.exec(headers.authorization ?? '')?.[1]
  const token = headers['x-amz-security-token']
  const said = `<AWSAccessKeyId>${key}</AWSAccessKeyId><Token-0>${token}</Token-0><StringToSign>${headers.authorization}</StringToSign>`
  return xml(`<Error><Code>InvalidAccessKeyId</Code><Message>No key ${key} ${token}</Message>${said}</Error>`)
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function closed(server: Server): void {
  server.close()
  server.closeAllConnections()
}
