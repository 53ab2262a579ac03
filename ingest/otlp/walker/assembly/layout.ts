/**
 * Where everything lies in the walker's memory, which is of a fixed size. The exported numbers are globals of the
 * instance, so its host reads them there and nobody writes them twice. Everything is aligned to eight bytes.
 */
import { COLUMNS_END, FIRST_WIDE, TEXT_COLUMNS, TEXT_STATE } from './columns'
import { ROWS } from './memory'

export * from './columns'
export * from './memory'

/** By row what the host has to know beside the block. */
export const TURNS: usize = COLUMNS_END
export const HASHES: usize = TURNS + ROWS
/** Seven numbers a row: see `SpanTree`. */
export const TREE: usize = HASHES + ROWS * 8
export const LEAF_ENDS: usize = TREE + ROWS * 28
/** The hashes of the leaves of all rows. */
export const leaves: usize = LEAF_ENDS + ROWS * 4
export const MAX_LEAVES: i32 = ROWS * 256

/** The bytes of the text columns. */
const TEXTS: usize = leaves + MAX_LEAVES * 4
const WIDE: usize = 2 * 1024 * 1024 - 64
const NARROW: usize = 256 * 1024
export const ARENA: usize = TEXTS + FIRST_WIDE * NARROW + (TEXT_COLUMNS - FIRST_WIDE) * WIDE
export const ARENA_END: usize = ARENA + 16 * 1024 * 1024

/** Where the bytes of the text column at `state` begin. */
export function textStart(state: usize): usize {
  const n = <i32>(state - TEXT_STATE) / 16
  return n <= FIRST_WIDE
    ? TEXTS + <usize>n * NARROW
    : TEXTS + FIRST_WIDE * NARROW + (<usize>n - FIRST_WIDE) * WIDE
}
