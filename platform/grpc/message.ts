/**
 * Reads the one message of a unary call: five bytes with its length and whether it is compressed, then its bytes,
 * collected under the limits for bodies.
 */
import type { ServerHttp2Stream } from 'node:http2'
import { errors } from '../errors/catalog.js'
import { type Collecting, collect } from '../http/body.js'
import type { BodyBudget } from '../http/budget.js'

/** A flag, and the length in four bytes. */
const PREFIX = 5

/** A sender that is silent for this long is disconnected. */
export const STALL_MS = 10_000

export interface Message extends Collecting {
  /** known once `bytes` has resolved */
  readonly isCompressed: () => boolean
  /** bytes received */
  readonly size: () => number
}

/** Reads the message of `stream`. @param most largest allowed message in bytes */
export function readMessage(stream: ServerHttp2Stream, most: number, budget: BodyBudget): Message {
  const prefix = Buffer.alloc(PREFIX)
  let seen = 0
  const left = () => prefix.readUInt32BE(1) - (seen - PREFIX)
  const collecting = collect({ onData: (take) => follow(take) }, -1, most, budget)
  const bad = (why: string) => collecting.stop(errors.badBody(why))

  function follow(take: (chunk: Uint8Array, last: boolean) => void): void {
    stream.setTimeout(STALL_MS, () => collecting.stop(errors.senderStalled()))
    stream.on('data', (chunk: Buffer) => {
      const missing = Math.min(PREFIX - Math.min(seen, PREFIX), chunk.length)
      if (missing > 0) chunk.copy(prefix, seen, 0, missing)
      const message = chunk.subarray(missing)
      seen += chunk.length
      if (seen < PREFIX) return
      if (prefix.readUInt32BE(1) > most) return collecting.stop(errors.tooLarge())
      if (left() < 0) return bad('a unary call has one message')
      if (message.length > 0) take(message, false)
    })
    stream.once('end', () => {
      stream.setTimeout(0)
      if (seen < PREFIX || left() > 0) return bad('the message is truncated')
      take(new Uint8Array(0), true)
    })
    stream.once('close', () => collecting.stop(new Error('the caller went away')))
  }

  return { ...collecting, isCompressed: () => prefix[0] === 1, size: () => seen }
}
