/**
 * The canonical JSON that digests are computed from: the output of Python's `json.dumps(value, sort_keys=True)`. Keys
 * sorted by code point, `", "` and `": "`, ASCII only, numbers as Python prints them.
 */
import { JsonError } from '../../platform/json/error.js'
import { JsonNumber, type JsonTree, parseTree } from '../../platform/json/tree.js'

/** The canonical form of JSON text or of a parsed value. @throws JsonError, also for a number beyond a double */
export function canonicalJson(value: JsonTree | Uint8Array): string {
  return write(value instanceof Uint8Array ? parseTree(value) : value)
}

function write(value: JsonTree): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return asciiString(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (value instanceof JsonNumber) return pythonNumber(value.text)
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`
  const keys = [...value.keys()].sort(byCodePoint)
  return `{${keys.map((key) => `${asciiString(key)}: ${write(value.get(key)!)}`).join(', ')}}`
}

/** JSON.stringify escapes like Python, except DEL and non-ASCII characters. */
export function asciiString(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, escaped)
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Compares by code points; JavaScript compares by UTF-16 units, where U+10000 precedes U+E000. */
export function byCodePoint(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return rank(a, i) - rank(b, i)
  }
  return a.length - b.length
}

/** The sort rank of the code point at `i`: a low surrogate ranks like its pair. */
function rank(text: string, i: number): number {
  const unit = text.charCodeAt(i)
  const before = text.charCodeAt(i - 1)
  if (unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff)
    return text.codePointAt(i - 1)!
  return text.codePointAt(i)!
}

/**
 * Formats the JSON number `text` like Python: integers digit for digit, others as `repr` of a double.
 * @throws JsonError if it exceeds a double; Python would print Infinity
 */
export function pythonNumber(text: string): string {
  if (/^-?\d+$/.test(text)) return text === '-0' ? '0' : text
  const number = Number(text)
  if (!Number.isFinite(number))
    throw new JsonError(`the number ${text.slice(0, 40)} is too large for a double`, 0)
  return pythonFloat(number)
}

function pythonFloat(number: number): string {
  if (number === 0) return Object.is(number, -0) ? '-0.0' : '0.0'
  // Both languages print the shortest digits that round-trip to the same double; only the layout differs.
  const [mantissa = '', power = '0'] = Math.abs(number).toExponential().split('e')
  const sign = number < 0 ? '-' : ''
  const exponent = Number(power)
  const digits = mantissa.replace('.', '')
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}
