/**
 * A request's body as it comes, for bodies that are larger than what a process should hold: the sender is held back
 * while the reader is behind. Knows nothing of what is in it.
 */
import type { HttpResponse } from 'uWebSockets.js'
import { errors } from '../errors/catalog.js'
import type { BodyBudget } from './budget.js'
import type { Hold } from './hold.js'
import { inflated } from './inflate.js'
import type { Encoding } from './inflation.js'

/**
 * The sender is held back above this many bytes, and let go on below a quarter of it. What the HTTP library has read
 * in one go by then (up to 5 MiB) comes all the same.
 */
const AHEAD = 512 * 1024

/** A body that is being read. */
export interface Streaming {
  /** throws `TOO_LARGE`, `INFLATES_TOO_MUCH` (413), `OVERLOADED` (503), `BAD_BODY` (400), or what {@link stop} was given */
  chunks: AsyncIterable<Uint8Array>
  /** the sender was accepted: `budget` holds the bytes from now on */
  accept: (budget: BodyBudget) => void
  /** the caller went away, or was answered: what still comes is dropped */
  stop: (reason: Error) => void
}

/**
 * Begins to read a body. Must be called in the same tick as the request's handler.
 * @param length of the body if it is known; 0: there is none
 * @param maxBytes also of what is inflated
 * @param budget holds what has come and was not read yet
 */
export function streamBody(
  res: HttpResponse,
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
      // uWebSockets.js takes its memory back when this returns.
      if (size > 0) pieces.push(new Uint8Array(chunk.slice(0)))
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
    for (;;) {
      if (failure) throw failure
      const piece = pieces.shift()
      if (piece) {
        yield piece
        // Nothing more is held once it failed or was stopped: that was given back then.
        if (held >= piece.length) {
          holder.give(piece.length)
          held -= piece.length
        }
        // Also after the last byte: the connection may carry more requests.
        if (held < AHEAD / 4) goOn()
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
