/**
 * Writes the stored form of JSON text: one line, no white space outside strings, everything else byte for byte (numbers
 * keep their digits, strings their escapes). One repair: a lone surrogate escape, which UTF-8 can't encode, becomes
 * `\ufffd`. Takes scanned text.
 */
import { isLoneAt, Notes, type Slice, scanText } from './scan.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const REPLACEMENT = Buffer.from('\\ufffd')

/**
 * Writes the stored form of `source[from, to)` into `target` at `at`; returns the end offset. The stored form is never
 * longer than its source.
 */
export function minifyInto(
  source: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
  at: number,
): number {
  let p = from
  let q = at
  while (p < to) {
    const c = source[p]!
    if (c === QUOTE) {
      const close = copyString(source, p, target, q)
      q += close - p
      p = close
    } else {
      if (c > 0x20) target[q++] = c
      p++
    }
  }
  return q
}

/** Copies the string at `p`, quotes included, replacing lone surrogates; returns the offset after it in `source`. */
export function copyString(source: Uint8Array, p: number, target: Uint8Array, q: number): number {
  target[q++] = source[p++]!
  for (;;) {
    const c = source[p]!
    if (c === BACKSLASH) {
      if (source[p + 1] === 0x75) {
        const size = isLoneAt(source, p) ? 0 : isPairAt(source, p) ? 12 : 6
        if (size === 0) target.set(REPLACEMENT, q)
        else for (let i = 0; i < size; i++) target[q + i] = source[p + i]!
        p += size || 6
        q += size || 6
      } else {
        target[q++] = c
        target[q++] = source[p + 1]!
        p += 2
      }
      continue
    }
    target[q++] = c
    p++
    if (c === QUOTE) return p
  }
}

/** True if the `\uXXXX` at `p`, known not to be lone, starts a pair. */
function isPairAt(source: Uint8Array, p: number): boolean {
  const a = source[p + 2]! | 0x20
  const b = source[p + 3]! | 0x20
  return a === 0x64 && (b === 0x38 || b === 0x39 || b === 0x61 || b === 0x62)
}

/** The stored form of a complete text; returns the same buffer if nothing changes. */
export function minify(text: Uint8Array): Uint8Array {
  const notes = new Notes()
  const slice: Slice = scanText(text, notes)
  if (!notes.spaces && !notes.loneSurrogates) return text
  const target = Buffer.allocUnsafe(slice.to - slice.from)
  return target.subarray(0, minifyInto(text, slice.from, slice.to, target, 0))
}
