/**
 * Collects request bodies under two limits: one body's size, and the memory held by all requests together. Memory is
 * taken as bytes come, whatever length was announced. Knows nothing of what is in a body.
 */
import { errors } from '../errors/catalog.js'
import { bodyBuffers } from './body-buffers.js'
import type { BodyBudget } from './budget.js'

/** A body's memory is at most so many times what has come of it, so that few bytes are moved while it grows. */
const AHEAD = 4
/** Bytes that are moved in one turn: less than a millisecond's work, where all of a large body would be fifty. */
const MOVED = 2 << 20

/** A body under way. */
export interface Collecting {
  /** rejects with `TOO_LARGE` (413), `OVERLOADED` (503), or what {@link stop} was given */
  bytes: Promise<Uint8Array>
  /** the sender was accepted: `budget` holds the bytes from now on */
  accept: (budget: BodyBudget) => void
  /** gives the bytes back to the budget; harmless twice */
  release: () => void
  /** the caller went away, or was refused: what still comes is dropped */
  stop: (reason: Error) => void
}

/** Where the bytes of a body come from; its ArrayBuffers are only good until `take` returns. */
export interface BodySource {
  onData: (take: (chunk: ArrayBuffer | Uint8Array, last: boolean) => void) => unknown
}

/** Room that a body has outgrown, and how much of it has been moved. */
interface Outgrown {
  room: Uint8Array
  size: number
  moved: number
}

/**
 * Reads the body of a request. Of an HTTP request it must be called in the same tick as its handler.
 * @param declared the Content-Length, or -1 when the body comes in chunks
 * @param budget holds the memory; a part of what {@link Collecting.accept} is given, or that itself
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
  /** Moves some of what came before into the room that it has now. */
  const move = (most: number) => {
    if (!before) return
    const to = Math.min(before.size, before.moved + most)
    room!.set(before.room.subarray(before.moved, to), before.moved)
    before.moved = to
    if (to < before.size) return
    bodyBuffers.give(before.room)
    before = undefined
  }
  /** False: the budget has no room. */
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
      // The sender takes its memory back when this returns, so the bytes are copied.
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
