/**
 * Appends bytes where a text is being written. Nothing is ever written beyond the text's room: what finds none is left
 * out, and the span has failed.
 */
import { DIGITS } from './layout'

/** Why a span can't be written here. */
export const UNSUPPORTED: i32 = 1
export const FULL: i32 = 2

/** Bytes that copies may write behind what they count. */
const SLACK: usize = 32

let at: usize = 0
let limit: usize = 0
let why: i32 = 0

/** From now on texts go to `[from, to)`. */
export function writeTo(from: usize, to: usize): void {
  at = from
  limit = to
}

export function position(): usize {
  return at
}

export function end(): usize {
  return limit
}

/** Goes on at `position`, which is not beyond the end. */
export function goTo(position: usize): void {
  at = position
}

export function begin(): void {
  why = 0
}

/** The span at hand is left to TypeScript. */
export function fail(reason: i32): void {
  if (why === 0) why = reason
}

/** 0 as long as nothing failed. */
export function failure(): i32 {
  return why
}

/** Whether `count` more bytes, and some behind them, have room. */
export function hasRoom(count: usize): bool {
  if (at + count + SLACK <= limit) return true
  fail(FULL)
  return false
}

export function byte(value: u32): void {
  if (!hasRoom(1)) return
  store<u8>(at, value)
  at++
}

/** Appends the bytes `[from, to)`; up to 15 behind them are read. */
export function copy(from: usize, to: usize): void {
  const count = to - from
  if (!hasRoom(count)) return
  if (count <= 256) for (let i: usize = 0; i < count; i += 16) v128.store(at + i, v128.load(from + i))
  else memory.copy(at, from, count)
  at += count
}

/** Appends the first `count` bytes of `word`, the lowest one first. */
export function letters(word: u64, count: usize): void {
  if (!hasRoom(8)) return
  store<u64>(at, word)
  at += count
}

/** Appends the bytes `[from, to)` as lower-case hex digits. */
export function hex(from: usize, to: usize): void {
  const count = (to - from) * 2
  if (!hasRoom(count)) return
  const digits = i8x16(48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102)
  let to16 = at
  for (let i = from; i < to; i += 16) {
    const ids = v128.load(i)
    const high = v128.swizzle(digits, v128.shr<u8>(ids, 4))
    const low = v128.swizzle(digits, v128.and(ids, i8x16.splat(15)))
    v128.store(to16, v128.shuffle<u8>(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23))
    if (to - i > 8)
      v128.store(
        to16 + 16,
        v128.shuffle<u8>(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31),
      )
    to16 += 32
  }
  at += count
}

/** Appends `value` in decimal. */
export function natural(value: u64): void {
  if (!hasRoom(20)) return
  if (value < 10) {
    store<u8>(at, 48 + <u32>value)
    at++
    return
  }
  let from = DIGITS + 32
  let rest = value
  while (rest > 0xffffffff) {
    const tenth = rest / 10
    store<u8>(--from, <u32>(48 + rest - tenth * 10))
    rest = tenth
  }
  let small = <u32>rest
  while (small > 0) {
    const tenth = small / 10
    store<u8>(--from, 48 + small - tenth * 10)
    small = tenth
  }
  copy(from, DIGITS + 32)
}

/** Appends a varint. */
export function varint(value: u32): void {
  if (!hasRoom(5)) return
  let rest = value
  while (rest > 127) {
    store<u8>(at, (rest & 127) | 128)
    at++
    rest >>= 7
  }
  store<u8>(at, rest)
  at++
}
