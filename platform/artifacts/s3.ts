/**
 * Artifacts in an S3-compatible store. The official SDK does credentials, signatures, retries and multipart uploads.
 */
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { bufferOf } from '../bytes/buffer-of.js'
import { errors } from '../errors/catalog.js'
import { type Artifacts, type ByteRange, checkKey } from './artifacts.js'
import { StallTimeout } from './stall-timeout.js'

/** A store that is silent for longer counts as unreachable. */
const TIMEOUT_MS = 60_000
/** Part size of uploads; a store accepts 10,000 parts per object. */
const PART_BYTES = 16 * 2 ** 20
/** Parts of one upload in flight; bounds the memory that it uses. */
const PARTS_AT_ONCE = 3
const CONNECTIONS = 50
/** Attempts per request, including the first. */
const ATTEMPTS = 3

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  /** set for temporary credentials */
  sessionToken?: string
}

export interface S3Options {
  /** e.g. `http://127.0.0.1:9000`; undefined: AWS */
  endpoint?: string | undefined
  bucket: string
  /** prepended to every key; empty: none */
  prefix: string
  region: string
  /** undefined: the SDK's default chain (profile, web identity, container, instance) */
  credentials?: Credentials | undefined
  /** in ms, for tests only; default {@link TIMEOUT_MS} */
  timeoutMs?: number
}

export class S3Artifacts implements Artifacts {
  private readonly timeoutMs: number
  private readonly reader: S3Client
  private readonly writer: S3Client

  constructor(private readonly options: S3Options) {
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    // Readers may be slow, so only time spent waiting for the store counts there (StallTimeout). Uploads have no such
    // pauses: a silent socket means a silent store.
    this.reader = new S3Client(configOf(options, 0))
    this.writer = new S3Client(configOf(options, this.timeoutMs / ATTEMPTS))
  }

  put(key: string, content: Uint8Array): Promise<void> {
    return this.upload(key, bufferOf(content))
  }

  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const source = new Source(content)
    return this.upload(key, Readable.from(source.pieces(), { objectMode: false }), source)
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    if (prefix !== '') checkKey(prefix)
    const own = this.pathOf('')
    const stall = new StallTimeout(this.timeoutMs)
    const pages = paginateListObjectsV2(
      { client: this.reader },
      { Bucket: this.options.bucket, Prefix: prefix === '' ? own : `${own}${prefix}/` },
      { abortSignal: stall.signal },
    )
    for (;;) {
      const { value, done } = await stall.wait(() => asked(pages.next()))
      if (done) return
      for (const { Key = '' } of value.Contents ?? []) yield Key.slice(own.length)
    }
  }

  async get(
    key: string,
    range?: ByteRange,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    checkKey(key)
    if (range && range.from >= range.to) return empty()
    const stall = new StallTimeout(this.timeoutMs, signal)
    const command = new GetObjectCommand({
      Bucket: this.options.bucket,
      Key: this.pathOf(key),
      ...(range && { Range: `bytes=${range.from}-${range.to - 1}` }),
    })
    const found = await stall.wait(() =>
      asked(this.reader.send(command, { abortSignal: stall.signal })).catch(absent),
    )
    if (!found) return undefined
    if (range && found.$metadata.httpStatusCode !== 206)
      throw errors.unavailable(new StoreProblem('the artifact store returned the wrong range'))
    return stall.pieces(found.Body as Readable)
  }

  async delete(key: string): Promise<void> {
    checkKey(key)
    const stall = new StallTimeout(this.timeoutMs)
    const command = new DeleteObjectCommand({ Bucket: this.options.bucket, Key: this.pathOf(key) })
    await stall.wait(() => asked(this.reader.send(command, { abortSignal: stall.signal })).catch(absent))
  }

  /** Uploads in one request, or in parts that are aborted on any failure, so nothing partial is stored. */
  private async upload(key: string, body: Buffer | Readable, source?: Source): Promise<void> {
    checkKey(key)
    const upload = new Upload({
      client: this.writer,
      params: { Bucket: this.options.bucket, Key: this.pathOf(key), Body: body },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    })
    try {
      await upload.done()
    } catch (error) {
      if (source?.failed) throw source.error
      throw errors.unavailable(problemOf(error))
    }
  }

  private pathOf(key: string): string {
    return this.options.prefix === '' ? key : `${this.options.prefix}/${key}`
  }
}

/** @param silenceMs how long a socket may be silent before its request fails; 0: for ever */
function configOf({ endpoint, region, credentials }: S3Options, silenceMs: number): S3ClientConfig {
  const agent = {
    keepAlive: true,
    maxSockets: CONNECTIONS,
    // Only the global agents use Node.js's proxy settings by themselves.
    ...(process.env.NODE_USE_ENV_PROXY === '1' && { proxyEnv: process.env }),
  }
  return {
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    // Every S3-compatible store supports path-style addresses.
    forcePathStyle: true,
    maxAttempts: ATTEMPTS,
    // Older stores reject the checksums that AWS accepts since 2025.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { httpAgent: agent, httpsAgent: agent, socketTimeout: silenceMs },
  }
}

/** A store failure without the response body: some stores quote keys and signed texts there. */
class StoreProblem extends Error {
  override readonly name = 'StoreProblem'
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message)
  }
}

function problemOf(error: unknown): StoreProblem {
  if (!(error instanceof Error)) return new StoreProblem('the artifact store failed')
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
  if (status === undefined) return new StoreProblem(`the artifact store failed: ${error.message}`)
  const who = error instanceof S3ServiceException ? 'the artifact store' : 'the provider of its credentials'
  return new StoreProblem(`${who} answered ${status} ${error.name}`, status)
}

/** Awaits `answer`. @throws StoreProblem */
function asked<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => Promise.reject(problemOf(error)))
}

function absent(error: unknown): undefined {
  if (error instanceof StoreProblem && error.status === 404) return undefined
  throw error
}

/** Content being uploaded. Records what the source itself threw: that is not a store failure. */
class Source {
  failed = false
  error: unknown
  constructor(private readonly content: AsyncIterable<Uint8Array>) {}

  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.content
    } catch (error) {
      this.failed = true
      this.error = error
      throw error
    }
  }
}

async function* empty(): AsyncGenerator<Uint8Array> {}
