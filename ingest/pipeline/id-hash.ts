/**
 * Two independent 32-bit hashes of a call's identity, which ClickHouse computes the same way (`murmurHash3_32` and
 * `murmurHash2_32`), so that the ids it holds can be loaded as hashes. The identity is the bytes of the project id,
 * the call id and, for a span of an exporter, the trace id.
 */

/** Ids of this length are unique only within their trace, so the trace is part of the identity. */
export const SPAN_ID_LENGTH = 16

/** The two hashes of the identity that these texts make, one after the other. */
export function hashesOf(...texts: readonly string[]): [hash: number, print: number] {
  const key = Buffer.from(texts.join(''))
  return [murmur3(key, key.length), murmur2(key, key.length)]
}

/** MurmurHash3 x86 32 with seed 0 of `key[0, length)`. */
export function murmur3(key: Uint8Array, length: number): number {
  let hash = 0
  const blocks = length & ~3
  for (let i = 0; i < blocks; i += 4) {
    let word = key[i]! | (key[i + 1]! << 8) | (key[i + 2]! << 16) | (key[i + 3]! << 24)
    word = Math.imul(word, 0xcc9e2d51)
    word = (word << 15) | (word >>> 17)
    hash ^= Math.imul(word, 0x1b873593)
    hash = (hash << 13) | (hash >>> 19)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  let tail = 0
  const rest = length & 3
  if (rest === 3) tail ^= key[blocks + 2]! << 16
  if (rest >= 2) tail ^= key[blocks + 1]! << 8
  if (rest >= 1) {
    tail ^= key[blocks]!
    tail = Math.imul(tail, 0xcc9e2d51)
    tail = (tail << 15) | (tail >>> 17)
    hash ^= Math.imul(tail, 0x1b873593)
  }
  hash ^= length
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  hash ^= hash >>> 16
  return hash >>> 0
}

/** MurmurHash2 32 with seed 0 of `key[0, length)`. */
export function murmur2(key: Uint8Array, length: number): number {
  const m = 0x5bd1e995
  let hash = length
  const blocks = length & ~3
  for (let i = 0; i < blocks; i += 4) {
    let word = key[i]! | (key[i + 1]! << 8) | (key[i + 2]! << 16) | (key[i + 3]! << 24)
    word = Math.imul(word, m)
    word ^= word >>> 24
    word = Math.imul(word, m)
    hash = Math.imul(hash, m) ^ word
  }
  const rest = length & 3
  if (rest === 3) hash ^= key[blocks + 2]! << 16
  if (rest >= 2) hash ^= key[blocks + 1]! << 8
  if (rest >= 1) {
    hash ^= key[blocks]!
    hash = Math.imul(hash, m)
  }
  hash ^= hash >>> 13
  hash = Math.imul(hash, m)
  hash ^= hash >>> 15
  return hash >>> 0
}
