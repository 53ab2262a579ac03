/** Cuts long texts within JSON, in place: for lists that show how values begin. */
import type { Bytes } from '../../../platform/bytes/bytes.js'

const [QUOTE, BACKSLASH, COLON, SPACE, U] = [0x22, 0x5c, 0x3a, 0x20, 0x75]
const ELLIPSIS = Buffer.from('…')

/**
 * The JSON at the end of `out`, from `from` on, with texts of at most `most` bytes and an ellipsis. Keys, numbers and
 * structure stay, so every path is still there.
 */
export function cutTexts(out: Bytes, from: number, most: number): void {
  const { buf, pos: end } = out
  // What is not yet moved to `to`.
  let [kept, to] = [from, from]
  for (let at = from; at < end; at++) {
    if (buf[at] !== QUOTE) continue
    const start = at + 1
    let cut = start
    for (at = start; at < end && buf[at] !== QUOTE; at += lengthAt(buf, at)) {
      // A character or an escape begins here.
      if (at - start <= most && (buf[at]! & 0xc0) !== 0x80) cut = at
    }
    if (at - cut <= ELLIPSIS.length || at - start <= most || isKey(buf, at + 1, end)) continue
    buf.copyWithin(to, kept, cut)
    to += cut - kept
    to += ELLIPSIS.copy(buf, to)
    kept = at
  }
  buf.copyWithin(to, kept, end)
  out.pos = to + end - kept
}

/** The bytes of an escape, else 1. */
function lengthAt(buf: Buffer, at: number): number {
  if (buf[at] !== BACKSLASH) return 1
  return buf[at + 1] === U ? 6 : 2
}

/** True if a colon follows a text, perhaps behind white space. */
function isKey(buf: Buffer, after: number, end: number): boolean {
  let at = after
  while (at < end && buf[at]! <= SPACE) at++
  return at < end && buf[at] === COLON
}
