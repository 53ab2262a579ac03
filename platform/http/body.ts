/**
 * Collects request bodies under two limits: the size of one body, and the memory held by all requests together.
 * Allocates memory as bytes arrive, whatever length was announced.
 */
import { errors } from '../errors/catalog.js'
import { bodyBuffers } from './body-buffers.js'
import type { BodyBudget } from './budget.js'

/**
 * Most bytes of a piece. The HTTP library reads from a fast sender without a pause, so each chunk must take little work:
 * it is copied into pooled memory, since writing to fresh memory costs four times as much.
 */
const PIECE = 512 << 10
/** A piece has memory for at most this many times the bytes received. */
const AHEAD = 4
/** Bytes joined per turn: less than a millisecond's work, where joining all of a large body would take fifty. */
const JOINED = 2 << 20

/** A body being collected. */
export interface Collecting {
  /** rejects with `TOO_LARGE` (413), `OVERLOADED` (503), or the reason passed to {@link stop} */
  bytes: Promise<Uint8Array>
  /** called when the sender is accepted: moves the bytes to `budget` */
  accept: (budget: BodyBudget) => void
  /** gives the bytes back to the budget; idempotent */
  release: () => void
  /** drops the rest of the body, if it isn't whole: the caller left, or was refused */
  stop: (reason: Error | string) => void
}

/** The source of a body's bytes; its ArrayBuffers are valid only until `take` returns. */
export interface BodySource {
  onData: (take: (chunk: ArrayBuffer | Uint8Array, last: boolean) => void) => unknown
}

/**
 * Reads the body of a request. For an HTTP request, call it in the same tick as the request's handler.
 * @param declared the Content-Length, or -1 if the body is chunked
 * @param budget holds the memory; a part of the budget passed to {@link Collecting.accept}, or that itself
 */
export function collect(
  source: BodySource,
  declared: number,
  maxBytes: number,
  budget: BodyBudget,
): Collecting {
  const most = declared >= 0 ? Math.min(declared, maxBytes) : maxBytes
  /** all but the last one are full */
  const pieces: Uint8Array[] = []
  let roomLeft = 0
  let size = 0
  let held = 0
  let ended = false
  let holder = budget
  let reject: (error: Error) => void = () => undefined
  const release = () => {
    holder.give(held)
    held = 0
  }
  const stop = (reason: Error) => {
    if (ended) return
    ended = true
    for (const piece of pieces.splice(0)) bodyBuffers.give(piece)
    release()
    reject(reason)
  }
  /** Copies a chunk; false if the budget has no room. */
  const keep = (chunk: Uint8Array, last: boolean): boolean => {
    const rest = chunk.subarray(roomLeft)
    pieces.at(-1)?.set(chunk.subarray(0, roomLeft), pieces.at(-1)!.length - roomLeft)
    roomLeft -= chunk.length - rest.length
    size += chunk.length
    if (rest.length === 0) return true
    const ahead = Math.min(PIECE, most - size + rest.length, size * AHEAD)
    const { buffer } = bodyBuffers.take(last ? rest.length : Math.max(rest.length, ahead))
    const piece = new Uint8Array(buffer)
    if (!holder.take(piece.length)) {
      bodyBuffers.give(piece)
      return false
    }
    held += piece.length
    piece.set(rest)
    pieces.push(piece)
    roomLeft = piece.length - rest.length
    return true
  }
  const bytes = new Promise<Uint8Array>((resolve, rejectBytes) => {
    reject = rejectBytes
    source.onData((chunk, last) => {
      if (ended) return
      if (size + chunk.byteLength > maxBytes) return stop(errors.tooLarge())
      // The source reuses its memory once this returns, so copy the bytes.
      const copied = keep(chunk instanceof Uint8Array ? chunk : new Uint8Array(chunk), last)
      if (!copied) return stop(errors.overloaded())
      if (!last) return
      if (pieces.length > 1) return join(bodyBuffers.take(size), 0)
      ended = true
      resolve(pieces[0]?.subarray(0, size) ?? new Uint8Array(0))
    })
    const join = (whole: Uint8Array, from: number) => {
      if (ended) return bodyBuffers.give(whole)
      let at = from
      while (pieces.length > 0 && at < from + JOINED) {
        const piece = pieces.shift()!
        whole.set(piece.subarray(0, size - at), at)
        at += piece.length
        bodyBuffers.give(piece)
      }
      if (pieces.length > 0) return void setImmediate(join, whole, at)
      ended = true
      resolve(whole)
    }
  })
  const accept = (accepted: BodyBudget) => {
    if (accepted !== holder) holder.pass(held)
    holder = accepted
  }
  return {
    ...{ bytes, accept, release },
    stop: (reason) => {
      // Most bodies are whole when this is called, and an error's stack costs more than all else here.
      if (!ended) stop(typeof reason === 'string' ? new Error(reason) : reason)
    },
  }
}
