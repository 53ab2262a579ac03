/** Artifacts in an S3-compatible store, addressed by path (`endpoint/bucket/key`), as every such store understands it. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { errors } from '../errors/catalog.js'
import { type Artifacts, type ByteRange, checkKey } from './artifacts.js'
import { Patience } from './patience.js'
import { type Credentials, EMPTY_HASH, signed } from './sign.js'

/** A store that says nothing for longer is taken for one that is away. */
const PATIENCE_MS = 60_000
/** Large contents take their time. */
const UPLOAD_MS = 3_600_000

interface Sent {
  body?: Uint8Array | Readable
  signal?: AbortSignal
  patienceMs?: number
}

export interface S3Options {
  /** e.g. `https://s3.eu-central-1.amazonaws.com` or `http://127.0.0.1:9000` */
  endpoint: string
  bucket: string
  /** before every key; empty: none */
  prefix: string
  region: string
  credentials: Credentials
  /** ms, for tests alone; default {@link PATIENCE_MS} */
  patienceMs?: number
}

/** What the store answers; its body has to be read, or its iteration ended. */
interface Answer {
  status: number
  body: AsyncIterable<Uint8Array>
}

export class S3Artifacts implements Artifacts {
  constructor(
    private readonly options: S3Options,
    private readonly now: () => Date = () => new Date(),
  ) {}

  async put(key: string, content: Uint8Array): Promise<void> {
    const bodyHash = createHash('sha256').update(content).digest('hex')
    const response = await this.send('PUT', key, bodyHash, {}, { body: content })
    await finish(response)
    if (response.status !== 200) throw away(response)
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    // The store wants length and hash before the first byte.
    const folder = await mkdtemp(join(tmpdir(), 'heddle-upload-'))
    try {
      const path = join(folder, 'content')
      const hash = createHash('sha256')
      const file = await open(path, 'wx')
      try {
        for await (const piece of content) {
          hash.update(piece)
          await file.write(piece)
        }
      } finally {
        await file.close()
      }
      const { size } = await stat(path)
      const body = size === 0 ? new Uint8Array(0) : createReadStream(path)
      const headers = { 'content-length': String(size) }
      const response = await this.send('PUT', key, hash.digest('hex'), headers, {
        body,
        patienceMs: UPLOAD_MS,
      })
      await finish(response)
      if (response.status !== 200) throw away(response)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    if (prefix !== '') checkKey(prefix)
    const own = this.options.prefix === '' ? '' : `${this.options.prefix}/`
    for (let token: string | undefined = ''; token !== undefined; ) {
      const query: Record<string, string> = {
        'list-type': '2',
        prefix: prefix === '' ? own : `${own}${prefix}/`,
      }
      if (token !== '') query['continuation-token'] = token
      const response = await this.sendTo(this.urlOf('', query), 'GET', EMPTY_HASH, {}, {})
      const pieces: Uint8Array[] = []
      for await (const piece of response.body) pieces.push(piece)
      if (response.status !== 200) throw away(response)
      const text = Buffer.concat(pieces).toString('utf8')
      for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) yield plain(key).slice(own.length)
      const next = /<NextContinuationToken>([^<]*)</.exec(text)?.[1]
      token = next === undefined ? undefined : plain(next)
    }
  }

  async get(
    key: string,
    range?: ByteRange,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    if (range && range.from >= range.to) return empty()
    const headers: Record<string, string> = range ? { range: `bytes=${range.from}-${range.to - 1}` } : {}
    const response = await this.send('GET', key, EMPTY_HASH, headers, signal ? { signal } : {})
    if (response.status === (range ? 206 : 200)) return response.body
    await finish(response)
    if (response.status === 404) return undefined
    throw away(response)
  }

  async delete(key: string): Promise<void> {
    const response = await this.send('DELETE', key, EMPTY_HASH, {}, {})
    await finish(response)
    if (response.status !== 204 && response.status !== 200 && response.status !== 404) throw away(response)
  }

  private send(
    method: string,
    key: string,
    bodyHash: string,
    headers: Record<string, string>,
    more: Sent,
  ): Promise<Answer> {
    checkKey(key)
    const { prefix } = this.options
    return this.sendTo(
      this.urlOf(`/${prefix === '' ? '' : `${prefix}/`}${key}`),
      method,
      bodyHash,
      headers,
      more,
    )
  }

  private urlOf(path: string, query: Record<string, string> = {}): URL {
    const { endpoint, bucket } = this.options
    const url = new URL(`${endpoint}/${bucket}${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  private async sendTo(
    url: URL,
    method: string,
    bodyHash: string,
    headers: Record<string, string>,
    { body, signal, patienceMs = this.options.patienceMs ?? PATIENCE_MS }: Sent,
  ): Promise<Answer> {
    const { region, credentials } = this.options
    const { host: _, ...sent } = signed({ method, url, headers, bodyHash }, credentials, region, this.now())
    const streamed = body !== undefined && !(body instanceof Uint8Array)
    const patience = new Patience(patienceMs, signal)
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      headers: sent,
      redirect: 'error',
      signal: patience.signal,
      ...(body instanceof Uint8Array && { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }),
      ...(streamed && { body: Readable.toWeb(body) as ReadableStream<Uint8Array>, duplex: 'half' }),
    }
    const response = await patience.wait(() => fetch(url, init))
    return { status: response.status, body: patience.pieces(response.body) }
  }
}

/** Text of XML without its escapes. */
function plain(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => names[name] ?? whole)
}

/** Reads what is left, so that the connection can be used again. */
async function finish({ body }: Answer): Promise<void> {
  try {
    for await (const _ of body);
  } catch {
    // What it would have said is not needed.
  }
}

function away(response: Answer): Error {
  return errors.unavailable(new Error(`the artifact store answered ${response.status}`))
}

async function* empty(): AsyncGenerator<Uint8Array> {}
