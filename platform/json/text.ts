/** Decodes strings and integers inside JSON text. Takes scanned (valid) text. */
import { bufferOf } from '../bytes/buffer-of.js'
import type { Slice } from './scan.js'

const BACKSLASH = 0x5c
/** Shorter strings are flat when concatenated; for longer ones the engine would keep every prefix. */
const FLAT = 13

/** The bytes `[from, to)` of `buf` as a string. */
export function utf8At(buf: Uint8Array, from: number, to: number): string {
  if (to - from < FLAT) {
    let text = ''
    let p = from
    for (; p < to && buf[p]! < 0x80; p++) text += String.fromCharCode(buf[p]!)
    if (p === to) return text
  }
  return bufferOf(buf).toString('utf8', from, to)
}

/** Unescapes the string with the bytes `[from, to)` between its quotes; keeps lone surrogates. */
export function unescapedAt(buf: Uint8Array, from: number, to: number): string {
  for (let p = from; p < to; p++) {
    if (buf[p] === BACKSLASH) return String(JSON.parse(`"${utf8At(buf, from, to)}"`))
  }
  return utf8At(buf, from, to)
}

/** The string at `slice` (quotes included), or undefined if the value is not a string. */
export function stringAt(buf: Uint8Array, { from, to }: Slice): string | undefined {
  return buf[from] === 0x22 ? unescapedAt(buf, from + 1, to - 1) : undefined
}

/** True if the bytes `[from, to)` equal `text`, which must be ASCII. */
export function equalsAscii(buf: Uint8Array, from: number, to: number, text: string): boolean {
  if (to - from !== text.length) return false
  for (let i = 0; i < text.length; i++) if (buf[from + i] !== text.charCodeAt(i)) return false
  return true
}

/** The value at `[from, to)` if it is an integer that a double holds exactly (`5`, `5.0`, `5e0`), else undefined. */
export function integerAt(buf: Uint8Array, from: number, to: number): number | undefined {
  const first = buf[from]!
  if (first !== 0x2d && (first < 0x30 || first > 0x39)) return undefined
  let whole = 0
  let p = from
  if (to - from <= 15)
    while (p < to && buf[p]! >= 0x30 && buf[p]! <= 0x39) whole = whole * 10 + buf[p++]! - 0x30
  if (p === to) return whole
  const number = Number(utf8At(buf, from, to))
  return Number.isSafeInteger(number) ? number : undefined
}
