/** The hashes of `domain/calls/hash.ts` and `ingest/pipeline/id-hash.ts`. Up to three bytes behind a text are read. */

function scrambled(word: u32): u32 {
  return rotl<u32>(word * 0xcc9e2d51, 15) * 0x1b873593
}

/** The bytes behind the last whole word of `[at, to)`. */
function tail(at: usize, to: usize): u32 {
  const left = <u32>(to - at)
  return left === 0 ? 0 : load<u32>(at) & (0xffffffff >>> (32 - left * 8))
}

/** MurmurHash3 x86 32 of `[from, to)`. */
export function murmur3(seed: u32, from: usize, to: usize): u32 {
  let hash = seed
  let at = from
  for (; at + 4 <= to; at += 4) {
    hash ^= scrambled(load<u32>(at))
    hash = rotl<u32>(hash, 13) * 5 + 0xe6546b64
  }
  hash ^= scrambled(tail(at, to)) ^ <u32>(to - from)
  hash = (hash ^ (hash >>> 16)) * 0x85ebca6b
  hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35
  return hash ^ (hash >>> 16)
}

/** MurmurHash2 32 with seed 0 of `[from, to)`. */
export function murmur2(from: usize, to: usize): u32 {
  const m: u32 = 0x5bd1e995
  let hash = <u32>(to - from)
  let at = from
  for (; at + 4 <= to; at += 4) {
    let word = load<u32>(at) * m
    word = (word ^ (word >>> 24)) * m
    hash = (hash * m) ^ word
  }
  if (at < to) hash = (hash ^ tail(at, to)) * m
  hash = (hash ^ (hash >>> 13)) * m
  return hash ^ (hash >>> 15)
}
