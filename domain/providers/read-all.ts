/** Reads a response body to its end, up to a size limit. Knows nothing of the content. */
import type { Response } from 'undici'

/** Counts bytes in memory. */
export interface Holding {
  /** false if there is no room for `bytes` more */
  take(bytes: number): boolean
}

/** The budget has no room left. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

/** The body exceeds its limit; the rest was not read. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
}

/** All bytes of `response`, after decompression. @throws TooLargeError beyond `maxBytes`, NoRoomError */
export async function readAll(response: Response, maxBytes: number, holding?: Holding): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array(0)
  const pieces: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop early cancels the body.
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    if (bytes > maxBytes) throw new TooLargeError()
    if (holding?.take(piece.length) === false) throw new NoRoomError()
    pieces.push(piece)
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}
