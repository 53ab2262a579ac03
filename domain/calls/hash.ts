/** MurmurHash3 (x86, 32 bits) over bytes, for indexes and lookups; not against an adversary. */

/** The hash of `source[from, to)` under `seed`. Unsigned. */
export function hashBytes(seed: number, source: Uint8Array, from: number, to: number): number {
  let hash = seed | 0
  let at = from
  for (; at + 4 <= to; at += 4) {
    const word = source[at]! | (source[at + 1]! << 8) | (source[at + 2]! << 16) | (source[at + 3]! << 24)
    hash ^= scrambled(word)
    hash = (hash << 13) | (hash >>> 19)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  let rest = 0
  for (let i = to - 1; i >= at; i--) rest = (rest << 8) | source[i]!
  hash ^= scrambled(rest) ^ (to - from)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function scrambled(word: number): number {
  const spread = Math.imul(word, 0xcc9e2d51)
  return Math.imul((spread << 15) | (spread >>> 17), 0x1b873593)
}
