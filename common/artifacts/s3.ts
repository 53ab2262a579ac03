/** Artifacts in an S3-compatible store, addressed by path (`endpoint/bucket/key`), as every such store understands it. */
import { createHash } from 'node:crypto'
import { errors } from '../errors/catalog.js'
import { type Artifacts, type ByteRange, checkKey } from './artifacts.js'
import { type Credentials, EMPTY_HASH, signed } from './sign.js'

/** A store that takes longer is taken for one that is away. */
const PATIENCE_MS = 60_000

export interface S3Options {
  /** e.g. `https://s3.eu-central-1.amazonaws.com` or `http://127.0.0.1:9000` */
  endpoint: string
  bucket: string
  /** before every key; empty: none */
  prefix: string
  region: string
  credentials: Credentials
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

  async get(
    key: string,
    range?: ByteRange,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    if (range && range.from >= range.to) return empty()
    const headers: Record<string, string> = range ? { range: `bytes=${range.from}-${range.to - 1}` } : {}
    const response = await this.send('GET', key, EMPTY_HASH, headers, signal ? { signal } : {})
    if (response.status === (range ? 206 : 200)) return response.body ?? empty()
    await finish(response)
    if (response.status === 404) return undefined
    throw away(response)
  }

  async delete(key: string): Promise<void> {
    const response = await this.send('DELETE', key, EMPTY_HASH, {}, {})
    await finish(response)
    if (response.status !== 204 && response.status !== 200 && response.status !== 404) throw away(response)
  }

  private async send(
    method: string,
    key: string,
    bodyHash: string,
    headers: Record<string, string>,
    { body, signal }: { body?: Uint8Array; signal?: AbortSignal },
  ): Promise<Response> {
    checkKey(key)
    const { endpoint, bucket, prefix, region, credentials } = this.options
    const url = new URL(`${endpoint}/${bucket}/${prefix === '' ? '' : `${prefix}/`}${key}`)
    const { host: _, ...sent } = signed({ method, url, headers, bodyHash }, credentials, region, this.now())
    try {
      return await fetch(url, {
        method,
        headers: sent,
        redirect: 'error',
        signal: signal ?? AbortSignal.timeout(PATIENCE_MS),
        ...(body && { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }),
      })
    } catch (error) {
      throw errors.unavailable(error)
    }
  }
}

/** Reads what is left, so that the connection can be used again. */
async function finish(response: Response): Promise<void> {
  await response.arrayBuffer().catch(() => undefined)
}

function away(response: Response): Error {
  return errors.unavailable(new Error(`the artifact store answered ${response.status}`))
}

async function* empty(): AsyncGenerator<Uint8Array> {}
