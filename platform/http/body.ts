/**
 * Collects request bodies under two limits: the size of one body, and the memory held by all requests together.
 * Allocates memory as bytes arrive, whatever length was announced. Knows nothing of the content.
 */
import { errors } from '../errors/catalog.js'
import { bodyBuffers } from './body-buffers.js'
import type { BodyBudget } from './budget.js'

/** A body's memory is at most this many times the bytes received, so that few bytes are copied as it grows. */
const AHEAD = 4
/** Bytes copied per turn: less than a millisecond's work, where copying all of a large body would take fifty. */
const MOVED = 2 << 20

/** A body being collected. */
export interface Collecting {
  /** rejects with `TOO_LARGE` (413), `OVERLOADED` (503), or the reason passed to {@link stop} */
  bytes: Promise<Uint8Array>
  /** called when the sender is accepted: moves the bytes to `budget` */
  accept: (budget: BodyBudget) => void
  /** gives the bytes back to the budget; idempotent */
  release: () => void
  /** drops the rest of the body: the caller left, or was refused */
  stop: (reason: Error) => void
}

/** The source of a body's bytes; its ArrayBuffers are valid only until `take` returns. */
export interface BodySource {
  onData: (take: (chunk: ArrayBuffer | Uint8Array, last: boolean) => void) => unknown
}

/** The previous memory of a body that has grown, and how much of it has been copied. */
interface Outgrown {
  room: Uint8Array
  size: number
  moved: number
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
  let room: Uint8Array | undefined
  let before: Outgrown | undefined
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
    if (room) bodyBuffers.give(room)
    room = undefined
    before = undefined
    release()
    reject(reason)
  }
  /** Copies some of the previous memory into the current one. */
  const move = (most: number) => {
    if (!before) return
    const to = Math.min(before.size, before.moved + most)
    room!.set(before.room.subarray(before.moved, to), before.moved)
    before.moved = to
    if (to < before.size) return
    bodyBuffers.give(before.room)
    before = undefined
  }
  /** Grows the memory; false if the budget has no room. */
  const grow = (needed: number, last: boolean): boolean => {
    const larger = bodyBuffers.take(last ? needed : Math.max(needed, Math.min(most, needed * AHEAD)))
    const more = larger.buffer.byteLength - held
    if (more > 0 && !holder.take(more)) {
      bodyBuffers.give(larger)
      return false
    }
    if (more < 0) holder.give(-more)
    held += more
    move(Number.POSITIVE_INFINITY)
    if (room) before = { room, size, moved: 0 }
    room = new Uint8Array(larger.buffer)
    return true
  }
  const bytes = new Promise<Uint8Array>((resolve, rejectBytes) => {
    reject = rejectBytes
    source.onData((chunk, last) => {
      if (ended) return
      const whole = size + chunk.byteLength
      if (whole > maxBytes) return stop(errors.tooLarge())
      if (whole > (room?.length ?? 0) && !grow(whole, last)) return stop(errors.overloaded())
      // The source reuses its memory once this returns, so copy the bytes.
      room?.set(chunk instanceof Uint8Array ? chunk : new Uint8Array(chunk), size)
      size = whole
      move(MOVED)
      if (last) finish()
    })
    const finish = () => {
      if (ended) return
      move(MOVED)
      if (before) return void setImmediate(finish)
      ended = true
      resolve(room?.subarray(0, size) ?? new Uint8Array(0))
    }
  })
  const accept = (accepted: BodyBudget) => {
    if (accepted !== holder) holder.pass(held)
    holder = accepted
  }
  return { bytes, accept, release, stop }
}
