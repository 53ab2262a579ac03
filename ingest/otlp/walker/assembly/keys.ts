/**
 * Plans by the keys of a message, in their order: a table of hashes, and the keys to compare with. What a plan says is
 * in `plan.ts`; TypeScript compiles it.
 */
import { plan as compile } from './host'
import { ATTRIBUTE_SIZE, CHAINS, PLANS } from './layout'
import { FULL, fail } from './output'
import { hashOf, keysOf, nextOf, setChain } from './plan'

const FACTOR: u64 = 0x9e3779b97f4a7c15

/** The first `count` (1 to 8) bytes at `at`. */
function part(at: usize, count: usize): u64 {
  return load<u64>(at) & (0xffffffffffffffff >>> <u64>(64 - count * 8))
}

/** The hash of the keys before, and then the key `[from, to)`. */
export function hashKey(hash: u64, from: usize, to: usize): u64 {
  let value = (hash ^ <u64>(to - from)) * FACTOR
  let at = from
  for (; at + 8 <= to; at += 8) value = (rotl<u64>(value, 23) ^ load<u64>(at)) * FACTOR
  if (at < to) value = (rotl<u64>(value, 23) ^ part(at, to - at)) * FACTOR
  return value
}

function haveKeys(plan: usize, attributes: usize, count: i32): bool {
  let key = keysOf(plan)
  for (let i = 0; i < count; i++) {
    const attribute = attributes + i * ATTRIBUTE_SIZE
    const from = load<u32>(attribute, 24)
    const length = load<u32>(attribute, 28) - from
    if (load<u32>(key) !== length) return false
    key += 8
    let at: usize = 0
    for (; at + 8 <= length; at += 8) if (load<u64>(key + at) !== load<u64>(from + at)) return false
    if (at < length && load<u64>(key + at) !== part(from + at, length - at)) return false
    key += (length + 7) & ~7
  }
  return true
}

/** The plan of the `count` attributes at `attributes`, whose keys have this hash; 0 if there is none. */
export function planOf(attributes: usize, count: i32, hash: u64, isSpan: bool): usize {
  const low = (<u32>(hash >>> 32) ^ ((<u32>count) << 1)) | 1
  const mixed = isSpan ? low : low ^ 1
  const chain = PLANS + <usize>((mixed >>> 8) & (CHAINS - 1)) * 4
  for (let plan: usize = load<u32>(chain); plan !== 0; plan = nextOf(plan)) {
    if (hashOf(plan) === mixed && load<u32>(plan, 8) === <u32>count && haveKeys(plan, attributes, count))
      return plan
  }
  const made = compile(attributes, count, isSpan)
  if (made === 0) {
    fail(FULL)
    return 0
  }
  setChain(made, load<u32>(chain), mixed)
  store<u32>(chain, <u32>made)
  return made
}
