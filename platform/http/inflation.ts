/**
 * Compressed bodies: which encodings there are, and how much a body may grow. Texts that people send become 5 to 20 times
 * as long, and a repeated one 100 times; a body that grows more was made to keep a server busy.
 */

export const MOST_TIMES = 200
/** A body up to this size may come out of however little. */
const FREE_BYTES = 4 << 20

/** Most bytes that may come out of `compressed` ones. */
export function mostInflated(compressed: number): number {
  return Math.max(FREE_BYTES, compressed * MOST_TIMES)
}

/** How a body is compressed. */
export type Encoding = 'identity' | 'gzip' | 'deflate'

/** One that some routes undo by themselves. */
export type AnyEncoding = Encoding | 'zstd'

/** What a `content-encoding` says; undefined: none that is known. */
export function encodingNamed(name: string): Encoding | undefined {
  const encoding = name.trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return 'identity'
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip'
  return encoding === 'deflate' ? 'deflate' : undefined
}

/** Whether a `deflate` body that begins so is in the zlib format, as it should be; some clients send the bare stream. */
export function isZlib(head: Uint8Array): boolean {
  return head.length >= 2 && (head[0]! & 15) === 8 && (head[0]! * 256 + head[1]!) % 31 === 0
}
