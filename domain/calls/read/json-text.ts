/** A text as a JSON string, from UTF-8 to UTF-8, written as the engine writes it. Knows no calls. */
import type { Bytes } from '../../../platform/bytes/bytes.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SHORT: Record<number, string> = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r' }

/** Appends `text` to `out`, in quotes. */
export function jsonText(out: Bytes, text: Uint8Array): void {
  out.byte(QUOTE)
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!
    const isSeparator = byte === 0xe2 && text[at + 1] === 0x80 && (text[at + 2]! | 1) === 0xa9
    if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH && !isSeparator) continue
    out.copy(text, from, at)
    if (isSeparator) {
      out.utf8(text[at + 2] === 0xa8 ? '\\u2028' : '\\u2029')
      at += 2
    } else if (byte >= 0x20) out.utf8(`\\${String.fromCharCode(byte)}`)
    else out.utf8(SHORT[byte] ?? `\\u${byte.toString(16).toUpperCase().padStart(4, '0')}`)
    from = at + 1
  }
  out.copy(text, from, text.length)
  out.byte(QUOTE)
}
