/**
 * Steps through objects and lists by offsets, and finds what stands at a path. Values are scanned, never built, so a
 * caller slices what it needs. A key that comes twice counts the last time.
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

/** What {@link eachField} and {@link eachElement} give for each value; scan it with `scanValue` and return its end. */
export type FieldReader = (keyFrom: number, keyTo: number, escaped: boolean, at: number) => number
export type ElementReader = (index: number, at: number) => number

const CLOSE_OBJECT = 0x7d
const CLOSE_LIST = 0x5d
const COMMA = 0x2c

/**
 * Walks the object that opens at `p`; `read` gets each key (bytes between the quotes) and where its value starts, and
 * returns where the value ends. Returns the offset after the object.
 */
export function eachField(buf: Uint8Array, p: number, notes: Notes, read: FieldReader): number {
  p = skipSpace(buf, p + 1, notes)
  if (buf[p] === CLOSE_OBJECT) return p + 1
  for (;;) {
    if (buf[p] !== 0x22) throw new JsonError('an object key should stand here, in double quotes', p)
    const keyFrom = p + 1
    notes.escapes = false
    const keyTo = scanString(buf, keyFrom, notes)
    const { escapes } = notes
    const at = scanColon(buf, keyTo + 1, notes)
    p = skipSpace(buf, read(keyFrom, keyTo, escapes, at), notes)
    if (buf[p] === CLOSE_OBJECT) return p + 1
    if (buf[p] !== COMMA) throw new JsonError('a comma or } should stand after an object value', p)
    p = skipSpace(buf, p + 1, notes)
  }
}

/** The same for the list that opens at `p`. */
export function eachElement(buf: Uint8Array, p: number, notes: Notes, read: ElementReader): number {
  p = skipSpace(buf, p + 1, notes)
  if (buf[p] === CLOSE_LIST) return p + 1
  for (let index = 0; ; index++) {
    p = skipSpace(buf, read(index, p), notes)
    if (buf[p] === CLOSE_LIST) return p + 1
    if (buf[p] !== COMMA) throw new JsonError('a comma or ] should stand after a list value', p)
    p = skipSpace(buf, p + 1, notes)
  }
}

/** Top-level fields of a text that came from outside. Ten million take more memory than a thread has. */
const MOST_FIELDS = 100_000

/**
 * The top-level fields of a text that is one object: name → where its value stands. Checks the whole text.
 * @param most fields; more are not kept in memory
 * @throws JsonError if it isn't JSON, or has more fields; returns undefined if it is JSON and no object
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
 * Where the value at `path` stands inside the value at `slice` (scanned text), or undefined if there is none.
 * A number, or a text of digits, is an index where a list stands; a text is a key where an object stands.
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
