/** A fast 32-bit hash over bytes, for indexes and lookups; not against an adversary. Knows nothing of calls. */

/**
 * The hash of `source[from, to)` under `seed`: four bytes a step, each multiplied and folded in, the length at the
 * end, then bits spread so that every bit of the input reaches every bit of the result. Unsigned.
 */
export function hashBytes(seed: number, source: Uint8Array, from: number, to: number): number {
  let hash = seed | 0
  let at = from
  for (; at + 4 <= to; at += 4) {
    const word = source[at]! | (source[at + 1]! << 8) | (source[at + 2]! << 16) | (source[at + 3]! << 24)
    hash = Math.imul(hash ^ Math.imul(word, 0xcc9e2d51), 0x1b873593)
    hash = (hash << 13) | (hash >>> 19)
  }
  for (; at < to; at++) hash = Math.imul(hash ^ source[at]!, 0x01000193)
  hash ^= to - from
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
