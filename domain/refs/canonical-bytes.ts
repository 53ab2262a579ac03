/**
 * Writes the canonical form (see `canonical.ts`) from JSON bytes to bytes without building the value, to digest tables
 * of millions of rows. Takes scanned text, like everything in `platform/json`.
 */
import { Notes, type Slice, scanColon, scanString, skipSpace } from '../../platform/json/scan.js'
import { unescapedAt, utf8At } from '../../platform/json/text.js'
import { asciiString, byCodePoint, canonicalJson, pythonNumber } from './canonical.js'

/** A field of an object: the offsets of its key and value. */
interface Field {
  keyFrom: number
  keyTo: number
  /** position among the fields, for duplicate keys */
  order: number
  at: number
  /** offset of a string's closing quote; else 0 */
  close: number
  /** a string with escapes */
  escaped: boolean
}

const QUOTE = 0x22
/** Objects are scanned once to find their fields and once to write them, so deeper values are built instead. */
const DEEP = 8

/** Writes canonical forms, one at a time, into a reused buffer. */
export class CanonicalWriter {
  private out = Buffer.allocUnsafe(1 << 16)
  private pos = 0
  private depth = 0
  private source: Uint8Array = this.out
  private readonly notes = new Notes()

  /**
   * The canonical form of the value at `from` in `source`; valid until the next call.
   * @throws JsonError for a number beyond a double
   */
  write(source: Uint8Array, { from, to }: Slice): Uint8Array {
    this.pos = 0
    this.depth = 0
    this.source = source
    // Separators add little; an escape grows to at most six bytes per byte.
    this.reserve((to - from) * 2)
    this.value(from)
    return this.out.subarray(0, this.pos)
  }

  /** Writes the value at `p`; returns its end in the source. */
  private value(p: number): number {
    const { source } = this
    switch (source[p]) {
      case 0x7b:
      case 0x5b:
        return this.container(p)
      case QUOTE: {
        this.notes.escapes = false
        const close = scanString(source, p + 1, this.notes)
        this.string(p + 1, close, this.notes.escapes)
        return close + 1
      }
      case 0x74:
      case 0x6e:
        return this.copy(p, p + 4)
      case 0x66:
        return this.copy(p, p + 5)
      default:
        return this.number(p)
    }
  }

  private container(p: number): number {
    if (this.depth === DEEP) {
      const end = this.skip(p)
      this.ascii(canonicalJson(this.source.subarray(p, end)))
      return end
    }
    this.depth++
    const end = this.source[p] === 0x7b ? this.object(p) : this.list(p)
    this.depth--
    return end
  }

  private list(p: number): number {
    const { source, notes } = this
    this.byte(0x5b)
    let at = skipSpace(source, p + 1, notes)
    for (let first = true; source[at] !== 0x5d; first = false) {
      if (!first) {
        this.pair()
        at = skipSpace(source, at + 1, notes)
      }
      at = skipSpace(source, this.value(at), notes)
    }
    this.byte(0x5d)
    return at + 1
  }

  private object(p: number): number {
    const { source, notes } = this
    const fields: Field[] = []
    let simple = true
    let at = skipSpace(source, p + 1, notes)
    while (source[at] !== 0x7d) {
      if (fields.length > 0) at = skipSpace(source, at + 1, notes)
      notes.escapes = false
      const keyTo = scanString(source, at + 1, notes)
      if (notes.escapes) simple = false
      const valueAt = scanColon(source, keyTo + 1, notes)
      notes.escapes = false
      const end = this.skip(valueAt)
      const close = source[valueAt] === QUOTE ? end - 1 : 0
      const field = {
        keyFrom: at + 1,
        keyTo,
        order: fields.length,
        at: valueAt,
        close,
        escaped: notes.escapes,
      }
      fields.push(field)
      at = skipSpace(source, end, notes)
    }
    if (simple) this.sorted(fields)
    else this.sortedByText(fields)
    return at + 1
  }

  /** Writes an object whose keys have no escapes: UTF-8 bytes sort like code points. */
  private sorted(fields: Field[]): void {
    const { source } = this
    sort(source, fields)
    this.byte(0x7b)
    let first = true
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i]!
      const next = fields[i + 1]
      if (next && compare(source, field, next) === 0) continue
      if (!first) this.pair()
      first = false
      this.string(field.keyFrom, field.keyTo, false)
      this.colon()
      if (field.close > 0) this.string(field.at + 1, field.close, field.escaped)
      else this.value(field.at)
    }
    this.byte(0x7d)
  }

  /** Writes an object with escaped keys, which must be unescaped to sort. */
  private sortedByText(fields: readonly Field[]): void {
    const byText = new Map(
      fields.map((field) => [unescapedAt(this.source, field.keyFrom, field.keyTo), field.at] as const),
    )
    const keys = [...byText.keys()].sort(byCodePoint)
    this.byte(0x7b)
    keys.forEach((key, i) => {
      if (i > 0) this.pair()
      this.ascii(asciiString(key))
      this.colon()
      this.value(byText.get(key)!)
    })
    this.byte(0x7d)
  }

  private string(from: number, to: number, escapes: boolean): void {
    const { source } = this
    if (!escapes) {
      this.reserve(to - from + 2)
      const { out } = this
      let q = this.pos
      out[q++] = QUOTE
      let p = from
      for (; p < to && source[p]! < 0x7f; p++) out[q++] = source[p]!
      if (p === to) {
        out[q++] = QUOTE
        this.pos = q
        return
      }
    }
    this.ascii(asciiString(unescapedAt(source, from, to)))
  }

  private number(p: number): number {
    const { source } = this
    let end = p
    let whole = true
    for (; end < source.length; end++) {
      const c = source[end]!
      if (c >= 0x30 && c <= 0x39) continue
      if (c === 0x2e || c === 0x65 || c === 0x45) whole = false
      else if (c !== 0x2d && c !== 0x2b) break
    }
    if (whole && source[p] !== 0x2d) return this.copy(p, end)
    this.ascii(pythonNumber(utf8At(source, p, end)))
    return end
  }

  /** The end of the value at `p`, known to be valid. */
  private skip(p: number): number {
    const { source, notes } = this
    const c = source[p]!
    if (c === QUOTE) return scanString(source, p + 1, notes) + 1
    if (c !== 0x7b && c !== 0x5b) {
      let end = p
      for (; end < source.length; end++) {
        const byte = source[end]!
        if (byte === 0x2c || byte === 0x7d || byte === 0x5d || byte <= 0x20) break
      }
      return end
    }
    let depth = 0
    for (let at = p; ; at++) {
      const byte = source[at]
      if (byte === QUOTE) at = scanString(source, at + 1, notes)
      else if (byte === 0x7b || byte === 0x5b) depth++
      else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return at + 1
    }
  }

  private copy(from: number, to: number): number {
    this.reserve(to - from)
    const { out, source } = this
    let q = this.pos
    for (let p = from; p < to; p++) out[q++] = source[p]!
    this.pos = q
    return to
  }

  private ascii(text: string): void {
    this.reserve(text.length)
    this.pos += this.out.write(text, this.pos, 'latin1')
  }

  private byte(value: number): void {
    this.reserve(1)
    this.out[this.pos++] = value
  }

  /** `, ` */
  private pair(): void {
    this.byte(0x2c)
    this.byte(0x20)
  }

  /** `: ` */
  private colon(): void {
    this.byte(0x3a)
    this.byte(0x20)
  }

  private reserve(count: number): void {
    if (this.pos + count <= this.out.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.out.length * 2, this.pos + count))
    this.out.copy(larger, 0, 0, this.pos)
    this.out = larger
  }
}

/** Small objects, the usual case, are sorted inline. */
const FEW = 12

function sort(source: Uint8Array, fields: Field[]): void {
  if (fields.length > FEW) {
    fields.sort((a, b) => compare(source, a, b) || a.order - b.order)
    return
  }
  for (let i = 1; i < fields.length; i++) {
    const field = fields[i]!
    let at = i
    for (; at > 0 && compare(source, fields[at - 1]!, field) > 0; at--) fields[at] = fields[at - 1]!
    fields[at] = field
  }
}

function compare(source: Uint8Array, a: Field, b: Field): number {
  const sizeA = a.keyTo - a.keyFrom
  const sizeB = b.keyTo - b.keyFrom
  const shorter = Math.min(sizeA, sizeB)
  for (let i = 0; i < shorter; i++) {
    const difference = source[a.keyFrom + i]! - source[b.keyFrom + i]!
    if (difference !== 0) return difference
  }
  return sizeA - sizeB
}
