/**
 * Streams a request's body, for bodies too large to hold in memory: the sender is paused while the reader is behind.
 */
import { errors } from '../errors/catalog.js'
import { bodyBuffers } from './body-buffers.js'
import type { BodyBudget } from './budget.js'
import type { Hold } from './hold.js'
import { inflated } from './inflate.js'
import type { Encoding } from './inflation.js'
import { nextTurn } from './next-request.js'
import type { Outgoing } from './server.js'

/**
 * The sender is paused above this many unread bytes, and resumed below a quarter of it. What the HTTP library has
 * already read by then still arrives: from a sender on the same machine that can be 100 MiB.
 */
const AHEAD = 512 * 1024
/** Bytes read per turn: reading all that has arrived would block other requests. */
const READ = 2 << 20

/** A body that is being read. */
export interface Streaming {
  /**
   * A chunk is valid until the next one is asked for.
   * Throws `TOO_LARGE`, `INFLATES_TOO_MUCH` (413), `OVERLOADED` (503), `BAD_BODY` (400), or {@link stop}'s reason.
   */
  chunks: AsyncIterable<Uint8Array>
  /** called when the sender is accepted: moves the bytes to `budget` */
  accept: (budget: BodyBudget) => void
  /** drops the rest of the body: the caller left, or has its answer */
  stop: (reason: Error) => void
}

/**
 * Starts reading a body. Call it in the same tick as the request's handler.
 * @param length of the body, if known; 0: no body
 * @param maxBytes applies to the inflated body too
 * @param budget holds the bytes received but not yet read
 */
export function streamBody(
  res: Outgoing,
  hold: Hold,
  length: number,
  encoding: Encoding,
  maxBytes: number,
  budget: BodyBudget,
): Streaming {
  const pieces: Uint8Array[] = []
  let held = 0
  let seen = 0
  let holder = budget
  let letGo: (() => void) | undefined
  let over = length === 0
  let failure: Error | undefined
  let wake: (() => void) | undefined
  const end = (reason?: Error) => {
    if (over && failure) return
    over = true
    if (reason) {
      failure ??= reason
      holder.give(held)
      held = 0
      pieces.length = 0
    }
    wake?.()
  }
  if (!over) {
    res.onData((chunk, last) => {
      if (over) return
      const size = chunk.byteLength
      seen += size
      if (seen > maxBytes) return end(errors.tooLarge())
      if (!holder.take(size)) return end(errors.overloaded())
      held += size
      // uWebSockets.js reuses its memory once this returns.
      if (size > 0) pieces.push(copyOf(chunk))
      if (last) {
        over = true
        hold.whole()
      } else if (held > AHEAD) letGo ??= hold.take()
      wake?.()
    })
  }
  const goOn = () => {
    letGo?.()
    letGo = undefined
  }
  async function* read(): AsyncGenerator<Uint8Array> {
    let read = 0
    for (;;) {
      if (failure) throw failure
      const piece = pieces.shift()
      if (piece) {
        yield piece
        // The inflater may still use the pieces of a compressed body.
        if (encoding === 'identity') bodyBuffers.give(piece)
        // A failure or a stop has already given everything back.
        if (held >= piece.length) {
          holder.give(piece.length)
          held -= piece.length
        }
        // After the last byte too: the connection may carry more requests.
        if (held < AHEAD / 4) goOn()
        read += piece.length
        if (read < READ) continue
        read = 0
        await nextTurn()
        continue
      }
      if (over) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      wake = undefined
    }
  }
  const chunks = encoding === 'identity' ? read() : inflated(read(), encoding, maxBytes)
  return {
    chunks,
    accept: (accepted) => {
      if (accepted !== holder) holder.pass(held)
      holder = accepted
    },
    stop: (reason) => {
      goOn()
      end(reason)
    },
  }
}

/** Copies a chunk into pooled memory: writing to fresh memory costs four times as much. */
function copyOf(chunk: ArrayBuffer | Uint8Array): Uint8Array {
  const piece = bodyBuffers.take(chunk.byteLength)
  piece.set(chunk instanceof Uint8Array ? chunk : new Uint8Array(chunk))
  return piece
}
