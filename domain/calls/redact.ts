/**
 * Keeps credentials out of the store: replaces non-empty strings under credential-like keys, at any depth. Works on the
 * bytes of JSON text: `mayHoldCredential` checks keys during a scan that happens anyway, and only texts for which it
 * returned true are processed again.
 */

import type { Bytes } from '../../platform/bytes/bytes.js'
import { copyString } from '../../platform/json/minify.js'
import { unescapedAt } from '../../platform/json/text.js'
import { CREDENTIAL_KEY_ENDS, isCredentialKey, REDACTED } from './credential-keys.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const replacement = Buffer.from(`"${REDACTED}"`)

/** No credential key is shorter than `apikey`. */
const SHORTEST = 6

/** The last four letters of every credential key, as 32 bits, and the two before each. */
const endings = new Map<number, Set<number>>()
for (const end of CREDENTIAL_KEY_ENDS) {
  const letters = Buffer.from(end)
  const last = letters.readInt32BE(2)
  endings.set(last, (endings.get(last) ?? new Set()).add(letters.readInt16BE(0)))
}

/** A cheap first look at a key (the bytes between its quotes): true for some others too, never false for a credential's. */
export function mayHoldCredential(buf: Uint8Array, from: number, to: number, escaped: boolean): boolean {
  if (to - from < SHORTEST) return false
  if (escaped) return true
  // The last six letters without `_` and `-`, in lower case; most keys differ in the last four.
  let letters = 0
  let word = 0
  let before: Set<number> | undefined
  for (let p = to - 1; p >= from; p--) {
    const c = buf[p]!
    if (c >= 0x80) return true
    if (c === 0x5f || c === 0x2d) continue
    word = (word >>> 8) | ((c | 0x20) << 24)
    letters++
    if (letters === 4) {
      before = endings.get(word)
      if (before === undefined) return false
    } else if (letters === 6) return before!.has(word >>> 16)
  }
  return false
}

/**
 * Appends the stored form (see `platform/json/minify.ts`) of the scanned text `source[from, to)` to `out`, with
 * credentials replaced.
 */
export function redactInto(out: Bytes, source: Uint8Array, from: number, to: number): void {
  out.reserve(to - from)
  let p = from
  while (p < to) {
    const c = source[p]!
    if (c !== QUOTE) {
      if (c > 0x20) out.buf[out.pos++] = c
      p++
      continue
    }
    const keyFrom = p + 1
    p = append(out, source, p)
    const keyTo = p - 1
    p = skipSpace(source, p, to)
    if (p >= to || source[p] !== COLON) continue
    out.buf[out.pos++] = COLON
    p = skipSpace(source, p + 1, to)
    if (source[p] !== QUOTE || source[p + 1] === QUOTE) continue
    if (!isCredentialKey(unescapedAt(source, keyFrom, keyTo))) {
      p = append(out, source, p)
      continue
    }
    p = stringEnd(source, p)
    out.copy(replacement, 0, replacement.length)
    out.reserve(to - p)
  }
}

/** Appends the string at `p`; returns the offset after it. */
function append(out: Bytes, source: Uint8Array, p: number): number {
  const end = copyString(source, p, out.buf, out.pos)
  out.pos += end - p
  return end
}

function stringEnd(source: Uint8Array, p: number): number {
  p++
  while (source[p] !== QUOTE) p += source[p] === BACKSLASH ? 2 : 1
  return p + 1
}

function skipSpace(source: Uint8Array, p: number, to: number): number {
  while (p < to && source[p]! <= 0x20) p++
  return p
}
