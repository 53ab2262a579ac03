/**
 * Sends results: whole where they are small, streamed with backpressure where not, and in every case so
 * that an error is seen as one.
 */
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip, type Gzip, gzipSync } from 'node:zlib'
import { type QueryFailure, statusOf } from '../engine/failure.js'
import type { Outcome } from '../engine/protocol.js'

/** A result on its way: chunks until undefined. */
export type Source = {
  next(): Promise<Uint8Array | undefined>
  readonly outcome: Outcome | undefined
}

export type ReplyOptions = {
  headers: Record<string, string>
  gzipLevel: number | undefined
  /** Hold everything back until the end, as far as it fits. */
  waitForEnd: boolean
  startedAt: bigint
}

/** A first chunk below this waits a moment for the end, so that small results go out in one piece. */
const smallBytes = 256 * 1024
const smallWaitMs = 20
const maxHeldBack = 16 * 1024 * 1024
/** How long a client may take to read an exception before the connection is closed under it. */
const lingerMs = 1000
/** Short enough to leave a decompressor in one piece. */
const maxMessage = 8 * 1024

const exceptionMark = '__exception__'

/** Sends a failure as a response of its own. Does nothing where a response is already on its way. */
export function sendFailure(
  response: ServerResponse,
  failure: QueryFailure,
  headers: Record<string, string>,
): void {
  if (response.headersSent || response.destroyed) return
  const body = Buffer.from(`${failure.message}\n`)
  response.writeHead(statusOf(failure.code), {
    ...headers,
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Length': body.length,
    'X-ClickHouse-Exception-Code': String(failure.code),
    ...(failure.code === 202 ? { 'Retry-After': '1' } : {}),
  })
  response.end(body)
}

/**
 * Sends a result.
 * @param read turns what the source throws into a failure.
 */
export async function sendResult(
  response: ServerResponse,
  source: Source,
  options: ReplyOptions,
  read: (error: unknown) => QueryFailure,
): Promise<void> {
  const held: Uint8Array[] = []
  let heldBytes = 0
  let pending: Promise<Uint8Array | undefined> | undefined
  try {
    for (;;) {
      pending ??= source.next()
      const canWait = options.waitForEnd ? heldBytes <= maxHeldBack : heldBytes <= smallBytes
      if (!canWait) break
      const soon = heldBytes === 0 || options.waitForEnd ? pending : Promise.race([pending, pause()])
      const chunk = await soon
      if (chunk === late) break
      if (chunk === undefined) return sendWhole(response, Buffer.concat(held, heldBytes), source, options)
      held.push(chunk)
      heldBytes += chunk.length
      pending = undefined
    }
  } catch (error) {
    return sendFailure(response, read(error), options.headers)
  }
  await stream(response, held, pending, source, options, read)
}

const late = Symbol('late')

function pause(): Promise<typeof late> {
  return sleep(smallWaitMs, late, { ref: false })
}

function sendWhole(response: ServerResponse, plain: Buffer, source: Source, options: ReplyOptions): void {
  if (response.destroyed) return
  const body = options.gzipLevel === undefined ? plain : gzipSync(plain, { level: options.gzipLevel })
  response.writeHead(200, {
    ...options.headers,
    ...(options.gzipLevel === undefined ? {} : { 'Content-Encoding': 'gzip' }),
    'Content-Length': body.length,
    'X-ClickHouse-Summary': summary(source.outcome, options.startedAt),
  })
  response.end(body)
}

async function stream(
  response: ServerResponse,
  held: Uint8Array[],
  pending: Promise<Uint8Array | undefined>,
  source: Source,
  options: ReplyOptions,
  read: (error: unknown) => QueryFailure,
): Promise<void> {
  // It may fail while what is held goes out; it is waited for after that.
  pending.catch(() => undefined)
  const tag = randomBytes(8).toString('hex')
  const gzip = options.gzipLevel === undefined ? undefined : createGzip({ level: options.gzipLevel })
  const out = gzip ?? response
  response.writeHead(200, {
    ...options.headers,
    ...(gzip ? { 'Content-Encoding': 'gzip' } : {}),
    'X-ClickHouse-Summary': summary(source.outcome, options.startedAt),
    'X-ClickHouse-Exception-Tag': tag,
  })
  gzip?.pipe(response)
  try {
    for (const chunk of held.splice(0)) await write(out, response, chunk)
    for (let next = pending; ; next = source.next()) {
      const chunk = await next
      if (chunk === undefined) break
      await write(out, response, chunk)
    }
    out.end()
  } catch (error) {
    await endWithException(out, gzip, response, tag, read(error))
  }
}

/** Resolves when the next chunk may follow. Once the client has gone, chunks are dropped. */
async function write(out: ServerResponse | Gzip, response: ServerResponse, chunk: Uint8Array): Promise<void> {
  if (response.destroyed || out.write(chunk)) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      out.off('drain', done)
      response.off('close', done)
      resolve()
    }
    out.on('drain', done)
    response.on('close', done)
  })
}

/**
 * Ends a stream that has failed: the exception in the form that clients look for, alone in a chunk, then a
 * broken end, so that those who don't look see a cut and not a short result.
 */
async function endWithException(
  out: ServerResponse | Gzip,
  gzip: Gzip | undefined,
  response: ServerResponse,
  tag: string,
  failure: QueryFailure,
): Promise<void> {
  if (gzip) await packed(gzip)
  await flushed(response)
  const message = Buffer.from(failure.message.slice(0, maxMessage))
  const head = `\r\n${exceptionMark}\r\n${tag}\r\n`
  const tail = `\n${message.length + 1} ${tag}\r\n${exceptionMark}\r\n`
  out.write(Buffer.concat([Buffer.from(head), message, Buffer.from(tail)]))
  if (gzip) await packed(gzip)
  await flushed(response)
  const { socket } = response
  if (!socket || response.destroyed) return
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => resolve())
  })
  await Promise.race([closed, sleep(lingerMs, undefined, { ref: false })])
  socket.end()
}

/** Brings out all that the compressor holds. */
function packed(gzip: Gzip): Promise<void> {
  return new Promise((resolve) => {
    gzip.flush(() => resolve())
  })
}

async function flushed(response: ServerResponse): Promise<void> {
  while (response.writableLength > 0 && !response.destroyed) {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        response.off('drain', done)
        response.off('close', done)
        resolve()
      }
      response.on('close', done)
      if (response.writableNeedDrain) response.on('drain', done)
      else setImmediate(done)
    })
  }
}

function summary(outcome: Outcome | undefined, startedAt: bigint): string {
  return JSON.stringify({
    read_rows: String(outcome?.readRows ?? 0),
    read_bytes: String(outcome?.readBytes ?? 0),
    written_rows: String(outcome?.writtenRows ?? 0),
    written_bytes: String(outcome?.writtenBytes ?? 0),
    total_rows_to_read: '0',
    result_rows: String(outcome?.resultRows ?? 0),
    result_bytes: String(outcome?.resultBytes ?? 0),
    elapsed_ns: String(process.hrtime.bigint() - startedAt),
  })
}
