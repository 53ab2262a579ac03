/** A compressed body made whole again, under the limits of bodies. Knows nothing of what is in it. */
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { errors } from '../errors/catalog.js'
import type { BodyBudget } from './budget.js'
import { MOST_TIMES, mostInflated } from './inflation.js'

/** How a body is compressed. */
export type Encoding = 'identity' | 'gzip' | 'deflate'

/** What a `content-encoding` header says; throws `BAD_MEDIA_TYPE` (415) for others than gzip and deflate. */
export function encodingOf(headers: ReadonlyMap<string, string>): Encoding {
  const given = (headers.get('content-encoding') ?? '').trim().toLowerCase()
  if (given === '' || given === 'identity') return 'identity'
  if (given === 'gzip' || given === 'x-gzip') return 'gzip'
  if (given === 'deflate') return 'deflate'
  throw errors.badMediaType(given.slice(0, 100))
}

/** The bytes of a body that was compressed, held by the budget until `release` is called. */
export interface Inflated {
  bytes: Uint8Array
  release: () => void
}

/**
 * Inflates `body` off the main thread. Rejects with `TOO_LARGE` (413) as soon as more than `maxBytes` came out,
 * `INFLATES_TOO_MUCH` (413) for what grows more than a body may, `OVERLOADED` (503) when the budget has no room,
 * `BAD_BODY` (400) for what is not `encoding`.
 */
export async function inflate(
  body: Uint8Array,
  encoding: 'gzip' | 'deflate',
  maxBytes: number,
  budget: BodyBudget,
): Promise<Inflated> {
  const pieces: Uint8Array[] = []
  let size = 0
  const release = () => {
    budget.give(size)
    size = 0
  }
  const stream = streamFor(body, encoding)
  stream.end(body)
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      if (size + chunk.length > maxBytes) throw errors.tooLarge()
      if (size + chunk.length > mostInflated(body.length)) throw errors.inflatesTooMuch(MOST_TIMES)
      if (!budget.take(chunk.length)) throw errors.overloaded()
      size += chunk.length
      pieces.push(chunk)
    }
  } catch (error) {
    release()
    throw isZlibError(error) ? errors.badBody(`it is not ${encoding}`) : error
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return { bytes, release }
}

function streamFor(body: Uint8Array, encoding: 'gzip' | 'deflate') {
  if (encoding === 'gzip') return createGunzip()
  // `deflate` means the zlib format, but some clients send the bare stream.
  const zlib = body.length >= 2 && (body[0]! & 15) === 8 && (body[0]! * 256 + body[1]!) % 31 === 0
  return zlib ? createInflate() : createInflateRaw()
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}
