/**
 * Iterates over objects and lists by byte offsets, and looks up paths. Values are scanned, never built, so callers
 * slice what they need. Of duplicate keys the last counts.
 */
import { JsonError } from './error.js'
import {
  checkUtf8,
  Notes,
  type Slice,
  scanColon,
  scanString,
  scanText,
  scanValue,
  skipSpace,
} from './scan.js'
import { unescapedAt } from './text.js'

/** Callbacks of {@link eachField} and {@link eachElement}: scan the value with `scanValue` and return its end. */
export type FieldReader = (keyFrom: number, keyTo: number, escaped: boolean, at: number) => number
export type ElementReader = (index: number, at: number) => number

const CLOSE_OBJECT = 0x7d
const CLOSE_LIST = 0x5d
const COMMA = 0x2c

/**
 * Iterates over the object that opens at `p`; `read` gets each key (the bytes between the quotes) and the offset of its
 * value, and returns the value's end. Returns the offset after the object.
 */
export function eachField(buf: Uint8Array, p: number, notes: Notes, read: FieldReader): number {
  p = skipSpace(buf, p + 1, notes)
  if (buf[p] === CLOSE_OBJECT) return p + 1
  for (;;) {
    if (buf[p] !== 0x22) throw new JsonError('expected an object key in double quotes', p)
    const keyFrom = p + 1
    notes.escapes = false
    const keyTo = scanString(buf, keyFrom, notes)
    const { escapes } = notes
    const at = scanColon(buf, keyTo + 1, notes)
    p = skipSpace(buf, read(keyFrom, keyTo, escapes, at), notes)
    if (buf[p] === CLOSE_OBJECT) return p + 1
    if (buf[p] !== COMMA) throw new JsonError('expected a comma or } after an object value', p)
    p = skipSpace(buf, p + 1, notes)
  }
}

/** Like {@link eachField}, for the list that opens at `p`. */
export function eachElement(buf: Uint8Array, p: number, notes: Notes, read: ElementReader): number {
  p = skipSpace(buf, p + 1, notes)
  if (buf[p] === CLOSE_LIST) return p + 1
  for (let index = 0; ; index++) {
    p = skipSpace(buf, read(index, p), notes)
    if (buf[p] === CLOSE_LIST) return p + 1
    if (buf[p] !== COMMA) throw new JsonError('expected a comma or ] after a list value', p)
    p = skipSpace(buf, p + 1, notes)
  }
}

/** Default limit of top-level fields in text from outside. Ten million need more memory than a thread has. */
const MOST_FIELDS = 100_000

/**
 * The top-level fields of an object: name → slice of its value. Checks the whole text.
 * @param most limit of fields, since they are kept in memory
 * @returns undefined if the text is JSON but not an object @throws JsonError if it isn't JSON, or has more fields
 */
export function rawFields(buf: Uint8Array, most = MOST_FIELDS): Map<string, Slice> | undefined {
  checkUtf8(buf)
  const notes = new Notes()
  const at = skipSpace(buf, 0, notes)
  if (buf[at] !== 0x7b) {
    scanText(buf, notes)
    return undefined
  }
  const fields = new Map<string, Slice>()
  const to = eachField(buf, at, notes, (keyFrom, keyTo, _escaped, from) => {
    const end = scanValue(buf, from, notes, 1)
    fields.set(unescapedAt(buf, keyFrom, keyTo), { from, to: end })
    if (fields.size > most) throw new JsonError(`the object has more than ${most} keys`, keyFrom)
    return end
  })
  const end = skipSpace(buf, to, notes)
  if (end !== buf.length) throw new JsonError('there is more text after the JSON value', end)
  return fields
}

/**
 * The slice of the value at `path` within the value at `slice` (scanned text), or undefined if absent. In a list, a
 * step is an index (a number or digits); in an object, it is a key.
 */
export function lookup(buf: Uint8Array, slice: Slice, path: readonly (string | number)[]): Slice | undefined {
  const notes = new Notes()
  let here: Slice | undefined = slice
  for (const step of path) {
    if (here === undefined) return undefined
    here = child(buf, here.from, step, notes)
  }
  return here
}

function child(buf: Uint8Array, p: number, step: string | number, notes: Notes): Slice | undefined {
  let found: Slice | undefined
  if (buf[p] === 0x7b) {
    const name = String(step)
    eachField(buf, p, notes, (keyFrom, keyTo, _escaped, from) => {
      const to = scanValue(buf, from, notes)
      if (unescapedAt(buf, keyFrom, keyTo) === name) found = { from, to }
      return to
    })
  } else if (buf[p] === 0x5b && /^\d+$/.test(String(step))) {
    const wanted = Number(step)
    eachElement(buf, p, notes, (index, from) => {
      const to = scanValue(buf, from, notes)
      if (index === wanted) found = { from, to }
      return to
    })
  }
  return found
}
