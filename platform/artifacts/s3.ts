/** Artifacts in an S3-compatible store, by the official SDK: its credentials, signatures, retries and multipart uploads. */
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
import { errors } from '../errors/catalog.js'
import { type Artifacts, type ByteRange, checkKey } from './artifacts.js'
import { StallTimeout } from './stall-timeout.js'

/** A store that says nothing for longer is taken for one that is away. */
const TIMEOUT_MS = 60_000
/** Contents go in parts of this size; a store takes 10,000 of them. */
const PART_BYTES = 16 * 2 ** 20
/** Parts of one content on their way at once: what a process holds of it. */
const PARTS_AT_ONCE = 3
const CONNECTIONS = 50
/** Of one request, the first among them. */
const ATTEMPTS = 3

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  /** of temporary credentials */
  sessionToken?: string
}

export interface S3Options {
  /** e.g. `http://127.0.0.1:9000`; undefined: AWS */
  endpoint?: string | undefined
  bucket: string
  /** before every key; empty: none */
  prefix: string
  region: string
  /** undefined: the SDK's default chain (profile, web identity, container, instance) */
  credentials?: Credentials | undefined
  /** ms, for tests alone; default {@link TIMEOUT_MS} */
  timeoutMs?: number
}

export class S3Artifacts implements Artifacts {
  private readonly timeoutMs: number
  private readonly reader: S3Client
  private readonly writer: S3Client

  constructor(private readonly options: S3Options) {
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    // A reader may take its time with a content, so only waiting for the store counts there (StallTimeout). An upload has no
    // such pauses: its silent socket is a silent store.
    this.reader = new S3Client(configOf(options, 0))
    this.writer = new S3Client(configOf(options, this.timeoutMs / ATTEMPTS))
  }

  put(key: string, content: Uint8Array): Promise<void> {
    return this.upload(key, Buffer.from(content.buffer, content.byteOffset, content.byteLength))
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
      throw errors.unavailable(new StoreProblem('the artifact store gave another range'))
    return stall.pieces(found.Body as Readable)
  }

  async delete(key: string): Promise<void> {
    checkKey(key)
    const stall = new StallTimeout(this.timeoutMs)
    const command = new DeleteObjectCommand({ Bucket: this.options.bucket, Key: this.pathOf(key) })
    await stall.wait(() => asked(this.reader.send(command, { abortSignal: stall.signal })).catch(absent))
  }

  /** One request, or a multipart upload that is given up when anything fails: whole or not at all either way. */
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

/** @param silenceMs of a socket, after which a request fails; 0: never */
function configOf({ endpoint, region, credentials }: S3Options, silenceMs: number): S3ClientConfig {
  const agent = {
    keepAlive: true,
    maxSockets: CONNECTIONS,
    // Agents other than the global ones have to be told of the proxy that Node.js is.
    ...(process.env.NODE_USE_ENV_PROXY === '1' && { proxyEnv: process.env }),
  }
  return {
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    // Every such store understands addresses by path.
    forcePathStyle: true,
    maxAttempts: ATTEMPTS,
    // Older stores refuse the checksums that AWS takes since 2025.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { httpAgent: agent, httpsAgent: agent, socketTimeout: silenceMs },
  }
}

/** A failure of the store, without what its answer holds besides: some stores quote keys and signed texts there. */
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
  const who = error instanceof S3ServiceException ? 'the artifact store' : 'who gives its credentials'
  return new StoreProblem(`${who} answered ${status} ${error.name}`, status)
}

/** What `answer` resolves with. @throws StoreProblem */
function asked<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => Promise.reject(problemOf(error)))
}

function absent(error: unknown): undefined {
  if (error instanceof StoreProblem && error.status === 404) return undefined
  throw error
}

/** A content on its way to the store, and what it threw itself: that is no failure of the store. */
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
