/**
 * The supported encodings of bodies, and how much a body may grow. Text that people send inflates 5 to 20 times,
 * repetitive text 100 times; a body that grows more was made to keep a server busy.
 */

export const MOST_TIMES = 200
/** A body may always inflate to this size. */
const FREE_BYTES = 4 << 20

/** The most bytes that `compressed` bytes may inflate to. */
export function mostInflated(compressed: number): number {
  return Math.max(FREE_BYTES, compressed * MOST_TIMES)
}

/** How a body is compressed. */
export type Encoding = 'identity' | 'gzip' | 'deflate'

/** An encoding that only some routes inflate themselves. */
export type AnyEncoding = Encoding | 'zstd'

/** Parses a `content-encoding`; undefined if it is unknown. */
export function encodingNamed(name: string): Encoding | undefined {
  const encoding = name.trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return 'identity'
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip'
  return encoding === 'deflate' ? 'deflate' : undefined
}

/** True if a `deflate` body with this start is in the zlib format, as specified; some clients send the bare stream. */
export function isZlib(head: Uint8Array): boolean {
  return head.length >= 2 && (head[0]! & 15) === 8 && (head[0]! * 256 + head[1]!) % 31 === 0
}
