/** Numbers of the protobuf wire. What only careless writers send (padded or very long numbers) is left to TypeScript. */
import { fail, UNSUPPORTED } from './output'

/** Where the number read last ended. */
let next: usize = 0

export function after(): usize {
  return next
}

/** The number at `at`, up to 28 bits. */
export function varint(at: usize): u32 {
  const first: u32 = load<u8>(at)
  if (first < 128) {
    next = at + 1
    return first
  }
  const second: u32 = load<u8>(at, 1)
  if (second < 128 && second > 0) {
    next = at + 2
    return (first & 127) | (second << 7)
  }
  return longVarint(at)
}

function longVarint(at: usize): u32 {
  let value: u32 = 0
  for (let i: u32 = 0; i < 4; i++) {
    const byte: u32 = load<u8>(at + i)
    value |= (byte & 127) << (i * 7)
    if (byte < 128) {
      if (byte === 0) break
      next = at + i + 1
      return value
    }
  }
  fail(UNSUPPORTED)
  next = at + 1
  return 0
}

/** The position after a number of up to ten bytes. */
export function skipVarint(at: usize): usize {
  for (let i: usize = 0; i < 10; i++) if (load<u8>(at + i) < 128) return at + i + 1
  fail(UNSUPPORTED)
  return at + 1
}

/** The number at `at` with 64 bits. */
export function varint64(at: usize): u64 {
  let value: u64 = 0
  for (let i: u64 = 0; i < 10; i++) {
    const byte = <u64>load<u8>(at + <usize>i)
    value |= (byte & 127) << (i * 7)
    if (byte < 128) break
  }
  return value
}
