/**
 * Where a request may hold something that a detector of masking finds: what `walker/assembly/hints.ts` does, to the same
 * effect, for machines without WebAssembly. Says only what can't be excluded at a glance.
 */

import type { Literal } from '../../domain/masking/literals.js'
import { ESCAPE } from '../../domain/masking/rule-set.js'

/** Bytes that are looked at together, from every {@link STEP}th. */
export const REACH = 32
const STEP = 16

const DIGIT = 1
const AT = 2
const LETTER = 4
const PLUS = 8
const DASH = 16
/** A space, a closing parenthesis, a point, a percent sign. */
const GAP = 32
const COLON = 64

const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte)
  // As there, the byte 127 is a letter too.
  if (/[A-Za-z_\x7f]/.test(letter)) return LETTER
  if (/\d/.test(letter)) return DIGIT
  const others: Record<string, number> = {
    '@': AT,
    '+': PLUS,
    '-': DASH,
    ' ': GAP,
    ')': GAP,
    '.': GAP,
    '%': GAP,
    ':': COLON,
  }
  return others[letter] ?? 0
})

/** Where a request may hold something that masking finds; all in order. */
export interface Hints {
  /** where pieces of {@link REACH} bytes begin that may hold what a detector finds */
  places: readonly number[]
  /** where JSON writes characters by their numbers: what they are is seen when it is read */
  escapes: readonly number[]
}

/** Where JSON within the request writes characters by their numbers. */
export function escapesIn(buf: Buffer): number[] {
  const found: number[] = []
  for (let at = buf.indexOf(ESCAPE); at >= 0; at = buf.indexOf(ESCAPE, at + 1)) found.push(at)
  return found
}

/** Where pieces of {@link REACH} bytes begin that may hold a match; in order. */
export function hintsIn(buf: Uint8Array): number[] {
  const found: number[] = []
  for (let at = 0; at < buf.length + STEP; at += STEP) {
    const from = Math.max(0, at - STEP)
    if (mayMatch(buf, at - STEP, at + STEP)) found.push(from)
  }
  return found
}

/** The pieces as bits, one for each byte: see `areNumbers` and its neighbours there. */
function mayMatch(buf: Uint8Array, from: number, to: number): boolean {
  let [ats, digits, words, gaps, pluses, dashes, colons] = [0, 0, 0, 0, 0, 0, 0]
  for (let i = Math.max(0, from); i < Math.min(to, buf.length); i++) {
    const bit = 1 << (i - from)
    const of = CLASSES[buf[i]!]!
    if (of === AT) ats |= bit
    if (of === DIGIT) digits |= bit
    if (of === COLON) colons |= bit
    if (of === PLUS) pluses |= bit
    if (of === DASH) dashes |= bit
    if (of === GAP) gaps |= bit
    if (of & (DIGIT | LETTER | DASH)) words |= bit
  }
  // Each byte stands in two pieces, in one of them beside its neighbours.
  const locals = words | gaps | pluses
  if (ats & (words >>> 1) & (locals << 1) & (locals >>> 2) & (locals >>> 3)) return true
  if (run(words, 16) || run(colons, 2) || count(colons & (words >>> 1)) >= 3 || run(digits, 13)) return true
  if (pluses & (digits >>> 1)) return true
  const apart = digits & ((gaps | dashes) >>> 1) & (digits >>> 2)
  return apart !== 0 && (count(digits) >= 9 || count(apart) >= 3)
}

/** Whether so many bits stand side by side. */
function run(bits: number, length: number): boolean {
  let left = bits
  for (let i = 1; i < length && left !== 0; i++) left &= left >>> 1
  return left !== 0
}

function count(bits: number): number {
  let left = bits
  let ones = 0
  for (; left !== 0; left &= left - 1) ones++
  return ones
}

/** Where the literal stands, in order. */
export function placesOf(buf: Buffer, literal: Literal): number[] {
  return [...exactIn(buf, literal, 0, buf.length)]
}

/** Where it begins within `[from, to)`. */
export function* exactIn(
  buf: Buffer,
  { text, isFolded }: Literal,
  from: number,
  to: number,
): Generator<number> {
  const given = buf.toString('latin1', from, to + text.length - 1)
  // Other letters than those of ASCII it does not have, so that small ones have the length of capital ones.
  const whole = isFolded ? given.replace(/[A-Z]+/g, (some) => some.toLowerCase()) : given
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) yield from + at
}
