/**
 * JSON as the service keeps it, digit by digit: JavaScript's own reading rounds long numbers. Whatever is read to be
 * shown, changed or sent again is read and written by this. Pure.
 */

/** A number that a JavaScript number can't hold as it was written. All others stay numbers. */
export class ExactNumber {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }

  /** What is nearest to it, for sums and charts. */
  valueOf(): number {
    return Number(this.text)
  }
}

/** Whether it is a list or an object. */
export const isInside = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber)

/** The number to count with. @returns undefined: it is none */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' || value instanceof ExactNumber ? Number(value) : undefined

/** After what comes before a value: 16 digits, or an exponent of three. All other numbers stay as they are. */
const MAYBE_LONG = /(?:^|[\s:,[])-?(?:\d[\d.]{15}|\d[\d.]*[eE][+-]?\d{3})/
const NUMBER = /-?\d[\d.eE+-]*/g

/** What `JSON.parse` reads, but for long numbers. @throws SyntaxError */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!MAYBE_LONG.test(text)) return value
  const kept: (ExactNumber | number)[] = []
  const marked = withNumbers(text, (digits) => {
    const number = Number(digits)
    const isPlain = isSame(digits, number)
    if (isPlain && !isMark(number)) return digits
    return String(kept.push(isPlain ? number : new ExactNumber(digits)) * Number.MIN_VALUE)
  })
  return kept.length === 0 ? value : restored(JSON.parse(marked), kept)
}

/**
 * In a text that is read, a number too small for a full double stands for one that is kept, and says which: 1 for the
 * first, times the smallest there is. Those that the text has itself are kept, too, so nothing can be mistaken for one.
 */
const isMark = (number: number) => number > 0 && number < 2 ** -1022

/** Puts what was kept in the places of the marks. Deep values must not take the stack. */
function restored(root: unknown, kept: readonly (ExactNumber | number)[]): unknown {
  const whole: Record<string, unknown> = { root }
  const todo = [whole]
  for (let one = todo.pop(); one !== undefined; one = todo.pop())
    for (const key of Object.keys(one)) {
      const value = one[key]
      if (typeof value === 'object' && value !== null) todo.push(value as typeof whole)
      else if (typeof value === 'number' && isMark(value)) one[key] = kept[value / Number.MIN_VALUE - 1]
    }
  return whole.root
}

/** The JSON with its numbers replaced; not what looks like numbers within strings. */
function withNumbers(json: string, change: (digits: string) => string): string {
  const parts: string[] = []
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at)
    const to = quote < 0 ? json.length : quote
    parts.push(json.slice(at, to).replace(NUMBER, change))
    at = quote < 0 ? to : endOfString(json, quote)
    parts.push(json.slice(to, at))
  }
  return parts.join('')
}

function endOfString(json: string, quote: number): number {
  for (let end = json.indexOf('"', quote + 1); ; end = json.indexOf('"', end + 1)) {
    let before = end
    while (json[before - 1] === '\\') before--
    if ((end - before) % 2 === 0) return end + 1
  }
}

/** Whether the number is written again as one of the same value: `1.50` as 1.5, but a whole number by its own digits. */
function isSame(digits: string, number: number): boolean {
  const again = String(number)
  if (again === digits || digits === '-0') return true
  return Number.isFinite(number) && /[.eE]/.test(digits) && decimalOf(again) === decimalOf(digits)
}

/** All ways to write a decimal number as one: its digits without zeros around them, and the power of ten of the last. */
function decimalOf(digits: string): string {
  const [, sign, whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(
    digits,
  )!
  const all = (whole + fraction).replace(/^0+/, '')
  const last = all.search(/[1-9]0*$/)
  return last < 0
    ? '0'
    : `${sign}${all.slice(0, last + 1)}e${Number(power) - fraction.length + all.length - last - 1}`
}

/** What `JSON.stringify` writes, but for long numbers: those have all their digits. @param indent 2: a member a line */
export function jsonText(value: unknown, indent: 0 | 2 = 0): string {
  return hasExact(value) ? written(value, indent, '\n') : JSON.stringify(value, null, indent)
}

function hasExact(root: unknown): boolean {
  const todo = [root]
  for (let one = todo.pop(); one !== undefined || todo.length > 0; one = todo.pop()) {
    if (one instanceof ExactNumber) return true
    if (isInside(one)) for (const inner of Object.values(one)) if (typeof inner === 'object') todo.push(inner)
  }
  return false
}

/** @param line what a line begins with */
function written(value: unknown, indent: number, line: string): string {
  if (value instanceof ExactNumber) return value.text
  if (!isInside(value)) return JSON.stringify(value)
  const inner = line + ' '.repeat(indent)
  const parts = Array.isArray(value)
    ? value.map((one) => written(one ?? null, indent, inner))
    : Object.entries(value).flatMap(([key, one]) =>
        one === undefined
          ? []
          : [`${JSON.stringify(key)}:${indent > 0 ? ' ' : ''}${written(one, indent, inner)}`],
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (parts.length === 0 || indent === 0) return `${open}${parts.join(',')}${close}`
  return `${open}${inner}${parts.join(`,${inner}`)}${line}${close}`
}

/** A value on its way from a worker to the page: a message would take its class from an {@link ExactNumber}. */
export type Sent = { value: unknown } | { json: string }

export const toSend = (value: unknown): Sent => (hasExact(value) ? { json: jsonText(value) } : { value })

export const received = (sent: Sent): unknown => ('json' in sent ? parseJson(sent.json) : sent.value)
