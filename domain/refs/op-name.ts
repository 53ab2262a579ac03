/**
 * The names of op objects, and of all that is created by a name and not by an id, made from text that anybody wrote.
 * The SDKs write and read such a name in a ref as it stands, so it holds only what needs no escape there. Pure.
 */
import { createHash } from 'node:crypto'
import { OBJECT_ID_LIMIT } from '../../contract/limits.js'

/** What a span without a name is called, and one whose name has nothing that may stay. */
const UNNAMED = 'span'

const NOT_ALLOWED = /[^\p{L}\p{N}_.-]/gu
/** Where a long name may be cut. */
const BREAKS = new Set([',', ';', '|', ' ', '/', '?', '.'])

/**
 * `text` as the name of an object: `_` for a space and `/`, letters and digits of any script, `_`, `.` and `-`, all else
 * dropped, lower case. May be empty.
 */
export function safeName(text: string): string {
  // What lower case makes of a letter may be a letter and a mark: marks are dropped as well.
  return text.replace(/[ /]/g, '_').replace(NOT_ALLOWED, '').toLowerCase().replace(NOT_ALLOWED, '')
}

/** The name of the op of spans called `spanName`. Names that become equal are one op. */
export function spanOpName(spanName: string): string {
  return safeName(shortened(spanName)) || UNNAMED
}

/** A name of more than 128 characters is cut at a break, and ends in four hex digits of its hash. */
function shortened(name: string): string {
  if (name.length <= OBJECT_ID_LIMIT) return name
  const characters = [...name]
  if (characters.length <= OBJECT_ID_LIMIT) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 4)
  return `${characters.slice(0, cutOf(characters, OBJECT_ID_LIMIT - 5)).join('')}:${hash}`
}

/** How much of a name stays: up to the last of its breaks before `most`, without that; `most` if it has none. */
function cutOf(characters: readonly string[], most: number): number {
  const isBreak = (at: number) => BREAKS.has(characters[at]!)
  const first = isBreak(0) ? 1 : characters.findIndex((_, at) => isBreak(at))
  if (first < 0 || first > most) return most
  for (let at = most - 1; at > first; at--) if (isBreak(at) && !isBreak(at - 1)) return at
  return first
}
