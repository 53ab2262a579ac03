/** Inflates compressed bodies under the limits for bodies. */
import { Readable } from 'node:stream'
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { errors } from '../errors/catalog.js'
import type { BodyBudget } from './budget.js'
import { type Encoding, encodingNamed, isZlib, MOST_TIMES, mostInflated } from './inflation.js'

type Compression = Exclude<Encoding, 'identity'>

/** The encoding in the `content-encoding` header. @throws `BAD_MEDIA_TYPE` (415) unless it is gzip or deflate */
export function encodingOf(headers: ReadonlyMap<string, string>): Encoding {
  const given = headers.get('content-encoding') ?? ''
  const encoding = encodingNamed(given)
  if (encoding === undefined) throw errors.badMediaType(given.slice(0, 100))
  return encoding
}

/**
 * Inflates `chunks` as they arrive.
 * @param whole the complete body, if it has arrived already
 * @throws `TOO_LARGE` (413) once the output exceeds `maxBytes`, `INFLATES_TOO_MUCH` (413) beyond the allowed ratio,
 *   `BAD_BODY` (400) if the body is not in `encoding`
 */
export async function* inflated(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  encoding: Compression,
  maxBytes: number,
  whole?: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(chunks, { objectMode: false })
  const isRaw = whole !== undefined && !isZlib(whole)
  const zlib = encoding === 'gzip' ? createGunzip() : isRaw ? createInflateRaw() : createInflate()
  source.on('error', (error) => zlib.destroy(error))
  let size = 0
  try {
    for await (const chunk of source.pipe(zlib) as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > maxBytes) throw errors.tooLarge()
      if (size > mostInflated(whole?.length ?? zlib.bytesWritten)) throw errors.inflatesTooMuch(MOST_TIMES)
      yield chunk
    }
  } catch (error) {
    const isBroken = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    throw isBroken ? errors.badBody(`it is not ${encoding}`) : error
  } finally {
    source.destroy()
    zlib.destroy()
  }
}

/**
 * Inflates `body` off the main thread; the budget holds its bytes until `release` is called.
 * @throws like {@link inflated}, and `OVERLOADED` (503) if the budget has no room
 */
export async function inflate(
  body: Uint8Array,
  encoding: Compression,
  maxBytes: number,
  budget: BodyBudget,
): Promise<{ bytes: Uint8Array; release: () => void }> {
  const pieces: Uint8Array[] = []
  let size = 0
  const release = () => {
    budget.give(size)
    size = 0
  }
  try {
    for await (const piece of inflated([body], encoding, maxBytes, body)) {
      if (!budget.take(piece.length)) throw errors.overloaded()
      size += piece.length
      pieces.push(piece)
    }
  } catch (error) {
    release()
    throw error
  }
  // Uses its own memory, since it may be transferred to a thread.
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return { bytes, release }
}
