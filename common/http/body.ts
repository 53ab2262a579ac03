/**
 * Collects request bodies under two limits: one body's size, and the bytes held by all requests together. Knows
 * nothing of what is in them.
 */
import type { HttpResponse } from 'uWebSockets.js'
import { errors } from '../errors/catalog.js'
import { bodyBuffers } from './body-buffers.js'

/** Bytes of bodies that are held at the moment, over all requests, and the most that may be. */
export class BodyBudget {
  private bytes = 0

  constructor(readonly limit: number) {}

  get held(): number {
    return this.bytes
  }

  /** Takes `count` bytes if they fit. */
  take(count: number): boolean {
    if (this.bytes + count > this.limit) return false
    this.bytes += count
    return true
  }

  give(count: number): void {
    this.bytes -= count
  }
}

/** A body under way. */
export interface Collecting {
  /** rejects with `TOO_LARGE` (413), `OVERLOADED` (503), or what {@link stop} was given */
  bytes: Promise<Uint8Array>
  /** gives the bytes back to the budget; harmless twice */
  release: () => void
  /** the caller went away, or was refused: what still comes is dropped */
  stop: (reason: Error) => void
}

/**
 * Reads the body of a request. Must be called in the same tick as the request's handler.
 * @param declared the Content-Length, or -1 when the body comes in chunks
 */
export function collect(
  res: HttpResponse,
  declared: number,
  maxBytes: number,
  budget: BodyBudget,
): Collecting {
  let size = 0
  let ended = false
  let whole = declared >= 0 ? bodyBuffers.take(declared) : undefined
  let pieces: Uint8Array[] = []
  let reject: (error: Error) => void = () => undefined
  const release = () => {
    budget.give(size)
    size = 0
  }
  const stop = (reason: Error) => {
    if (ended) return
    ended = true
    whole = undefined
    pieces = []
    release()
    reject(reason)
  }
  const bytes = new Promise<Uint8Array>((resolve, rejectBytes) => {
    reject = rejectBytes
    res.onData((chunk, last) => {
      if (ended) return
      const length = chunk.byteLength
      if (size + length > maxBytes) return stop(errors.tooLarge())
      if (!budget.take(length)) return stop(errors.overloaded())
      // uWebSockets.js takes its memory back when this returns, so the bytes are copied, once.
      if (whole && size + length <= whole.length) whole.set(new Uint8Array(chunk), size)
      else pieces.push(new Uint8Array(chunk.slice(0)))
      size += length
      if (!last) return
      ended = true
      resolve(whole ?? concat(pieces, size))
    })
  })
  return { bytes, release, stop }
}

function concat(pieces: readonly Uint8Array[], size: number): Uint8Array {
  if (pieces.length === 1) return pieces[0]!
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
