/**
 * Masks values of JSON text and leaves every other byte as it is: numbers keep their text, keys their order. Knows
 * nothing of what is masked.
 */

export interface JsonMask {
  /** where the text stands: the parts before its own */
  path: readonly string[]
  /** only values below one of these keys are masked; default: all */
  only?: ReadonlySet<string>
  /** A key, masked; the same if it is not. Two that become the same are two all the same. */
  key: (text: string) => string
  /** A string's text, masked; the same if it is not. */
  string: (text: string, path: readonly string[]) => string
  /** The same of a number, which becomes a string then. */
  number: (text: string, path: readonly string[]) => string
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const MINUS = 0x2d
const LITERAL = /(?:true|false|null)(?![\w.])/y
/** Deeper JSON is none here. */
const DEEPEST = 1000

/** The masked text, the same one if nothing was masked; undefined if it is no JSON. */
export function maskJson(text: string, mask: JsonMask): string | undefined {
  const { key: keyOf, string, number, only } = mask
  // The parts above, then a part for each level: the key of an object; a list adds none.
  const path = [...mask.path]
  const base = path.length
  const levels: boolean[] = []
  /** how many levels down the key of `only` is that values are below of; 0: of none */
  let inside = only === undefined ? -1 : 0
  let isKey = false
  let out = ''
  let copied = 0
  let at = 0
  const put = (from: number, to: number, masked: string) => {
    out += text.slice(copied, from) + JSON.stringify(masked)
    copied = to
  }
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOf(text, at)
      if (end < 0) return undefined
      const raw = text.slice(at + 1, end)
      if (isKey) {
        const key = raw.includes('\\') ? unescaped(raw) : raw
        if (key === undefined) return undefined
        path.length = base + objectsIn(levels) - 1
        path.push(key)
        if (inside === levels.length) inside = 0
        if (inside !== 0) {
          const masked = keyOf(key)
          if (masked !== key) put(at, end + 1, masked)
        } else if (only!.has(key)) inside = levels.length
        at = colonAfter(text, end + 1)
        if (at < 0) return undefined
        isKey = false
        continue
      }
      if (inside !== 0) {
        const whole = raw.includes('\\') ? unescaped(raw) : raw
        if (whole === undefined) return undefined
        const masked = string(whole, path)
        if (masked !== whole) put(at, end + 1, masked)
      }
      at = end + 1
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      levels.push(code === OPEN_OBJECT)
      if (levels.length > DEEPEST) return undefined
      isKey = code === OPEN_OBJECT
      at++
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      if (levels.pop() !== (code === CLOSE_OBJECT)) return undefined
      if (inside > levels.length) inside = 0
      path.length = Math.min(path.length, base + objectsIn(levels))
      isKey = false
      at++
    } else if (code === COMMA) {
      isKey = levels.at(-1) === true
      if (levels.length === 0) return undefined
      at++
    } else if (code === MINUS || (code >= 0x30 && code <= 0x39)) {
      let end = at + 1
      while (end < text.length && isOfNumber(text.charCodeAt(end))) end++
      if (inside !== 0) {
        const written = text.slice(at, end)
        const masked = number(written, path)
        if (masked !== written) put(at, end, masked)
      }
      at = end
    } else if (code <= 0x20) at++
    else {
      LITERAL.lastIndex = at
      if (!LITERAL.test(text)) return undefined
      at = LITERAL.lastIndex
    }
  }
  if (levels.length > 0) return undefined
  return copied === 0 ? text : out + text.slice(copied)
}

/** How many of the levels are objects: lists add nothing to a path. */
function objectsIn(levels: readonly boolean[]): number {
  let count = 0
  for (const isObject of levels) if (isObject) count++
  return count
}

/** Where the string that begins at `from` has its last quote; -1: nowhere. */
function endOf(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (at >= 0) {
    let before = at
    while (text.charCodeAt(before - 1) === BACKSLASH) before--
    if ((at - before) % 2 === 0) return at
    at = text.indexOf('"', at + 1)
  }
  return -1
}

function colonAfter(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at++
  return text.charCodeAt(at) === COLON ? at + 1 : -1
}

function unescaped(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return undefined
  }
}

/** A digit, a point, a sign or `e`. */
function isOfNumber(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2b || code === 0x2d || (code | 32) === 0x65
  )
}
