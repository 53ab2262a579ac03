/** Reads the body of a response to its end, up to a size. Knows nothing of what is in it. */
import type { Response } from 'undici'

/** Counts the bytes that are held. */
export interface Holding {
  /** false: there is no room for `bytes` more */
  take(bytes: number): boolean
}

/** No room is left for more. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

/** The body is larger than it may be; the rest of it was not read. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
}

/** All bytes of `response`, counted after decompression. @throws TooLargeError past `maxBytes`, NoRoomError */
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
