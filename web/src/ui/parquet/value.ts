/** A value of a Parquet file as one of JSON: what JSON has no word for becomes a text that loses nothing. Pure. */
import type { SchemaElement, SchemaTree } from 'hyparquet'
import { isListLike, isMapLike } from 'hyparquet/src/schema.js'
import { own, type Row } from '../row'

/** @param node what the schema says of it */
export function jsonOf(value: unknown, node: SchemaTree): unknown {
  if (value === null || value === undefined) return null
  const [child] = node.children
  if (Array.isArray(value)) {
    const item = isListLike(node) ? (child!.children.length === 1 ? child!.children[0]! : child!) : node
    return value.map((one) => jsonOf(one, item))
  }
  if (child === undefined) return leaf(value, node.element)
  const row: Row = {}
  if (isMapLike(node))
    for (const [key, one] of Object.entries(value)) own(row, key, jsonOf(one, child.children[1]!))
  else
    for (const one of node.children) own(row, one.element.name, jsonOf((value as Row)[one.element.name], one))
  return row
}

/** Those that the library would round; it hands them out as they are stored if the schema doesn't name them. */
export function isExact({ converted_type: type, logical_type: logical }: SchemaElement): boolean {
  return /^(DECIMAL|DATE|TIME|INTERVAL)/.test(`${type}`) || /^(DECIMAL|DATE|TIME)/.test(`${logical?.type}`)
}

function leaf(value: unknown, element: SchemaElement): unknown {
  const { type, converted_type: converted, logical_type: logical } = element
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL')
    return exact(shifted(wholeOf(value), element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0)))
  if (converted === 'INTERVAL') return intervalOf(value as Uint8Array)
  if (converted === 'DATE' || logical?.type === 'DATE')
    return timeOf(BigInt(value as number) * 86_400n, 0).slice(0, -'T00:00:00'.length)
  const digits = digitsOf(element)
  if (digits !== undefined) {
    const time = timeOf(BigInt(value as number), digits)
    if (/^TIME_/.test(`${converted}`) || logical?.type === 'TIME') return time.slice('1970-01-01T'.length)
    return logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC ? time : `${time}Z`
  }
  if (type === 'FLOAT') return shortest(value as number)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return exact(String(value))
  return value instanceof Uint8Array ? textOf(value) : value
}

/** Of the seconds of a time. */
function digitsOf({ converted_type: type, logical_type: logical }: SchemaElement): number | undefined {
  if (logical?.type === 'TIMESTAMP' || logical?.type === 'TIME')
    return { MILLIS: 3, MICROS: 6, NANOS: 9 }[logical.unit]
  const [, unit] = /^TIME.*_(MILLIS|MICROS)$/.exec(`${type}`) ?? []
  return unit === undefined ? undefined : unit === 'MILLIS' ? 3 : 6
}

/** @param count of the units after the epoch @param digits of a second that one unit is @returns ISO 8601, no zone */
export function timeOf(count: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits)
  const part = ((count % unit) + unit) % unit
  const date = new Date(Number((count - part) / unit) * 1000)
  if (Number.isNaN(date.getTime())) return String(count)
  const fraction = String(part).padStart(digits, '0').replace(/0+$/, '')
  return date.toISOString().slice(0, -'.000Z'.length) + (part === 0n ? '' : `.${fraction}`)
}

/** A number where it keeps all digits, else a text. */
function exact(text: string): number | string {
  const value = Number(text)
  return String(value) === text ? value : text
}

function wholeOf(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as number)
  const digits = value.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return BigInt.asIntN(8 * value.length, digits)
}

function shifted(whole: bigint, scale: number): string {
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0')
  const fraction = digits.slice(digits.length - scale)
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${fraction}`
  // 1.50 is the number 1.5.
  const plain = scale === 0 ? text : text.replace(/\.?0+$/, '')
  return whole < 0n ? `-${plain}` : plain
}

/** The decimal number that was rounded to these four bytes. */
function shortest(value: number): number | null {
  if (!Number.isFinite(value)) return null
  for (const digits of [6, 7, 8]) {
    const decimal = Number(value.toPrecision(digits))
    if (Math.fround(decimal) === value) return decimal
  }
  return Number(value.toPrecision(9))
}

/** ISO 8601, of months, days and milliseconds. */
function intervalOf(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [months, days, ms] = [0, 4, 8].map((at) => view.getUint32(at, true)) as [number, number, number]
  return `P${months}M${days}DT${ms / 1000}S`
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Bytes that are no text become base64. */
function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  }
}
