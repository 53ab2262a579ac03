/** Writes UTF-8 text as a JSON string, in the engine's format. Knows no calls. */
import type { Bytes } from '../../../platform/bytes/bytes.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** The first byte of both line separators that JSON allows and JavaScript did not. */
const SEPARATOR = 0xe2
const SHORT: Record<number, string> = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r' }

/** Appends the text `source[from, to)` to `out`, in quotes. */
export function jsonText(out: Bytes, source: Uint8Array, from = 0, to = source.length): void {
  out.reserve(to - from + 2)
  const { buf } = out
  let pos = out.pos
  buf[pos++] = QUOTE
  let at = from
  for (; at < to; at++) {
    const byte = source[at]!
    if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH || byte === SEPARATOR) break
    buf[pos++] = byte
  }
  out.pos = pos
  if (at < to) escaped(out, source, at, to)
  out.byte(QUOTE)
}

function escaped(out: Bytes, source: Uint8Array, start: number, to: number): void {
  let from = start
  for (let at = start; at < to; at++) {
    const byte = source[at]!
    const isSeparator = byte === SEPARATOR && source[at + 1] === 0x80 && (source[at + 2]! | 1) === 0xa9
    if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH && !isSeparator) continue
    out.copy(source, from, at)
    if (isSeparator) {
      out.utf8(source[at + 2] === 0xa8 ? '\\u2028' : '\\u2029')
      at += 2
    } else if (byte >= 0x20) out.utf8(`\\${String.fromCharCode(byte)}`)
    else out.utf8(SHORT[byte] ?? `\\u${byte.toString(16).toUpperCase().padStart(4, '0')}`)
    from = at + 1
  }
  out.copy(source, from, to)
}
