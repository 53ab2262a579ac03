/**
 * Makes names for op objects, and for everything identified by name instead of id, from arbitrary text. The SDKs write
 * such a name into a ref unescaped, so it contains only characters that need no escape there. Pure.
 */
import { createHash } from 'node:crypto'
import { OBJECT_ID_LIMIT } from '../../contract/limits.js'

/** The name for a span whose name is missing or has no allowed characters. */
const UNNAMED = 'span'

const NOT_ALLOWED = /[^\p{L}\p{N}_.-]/gu
/** Characters at which a long name may be cut. */
const BREAKS = new Set([',', ';', '|', ' ', '/', '?', '.'])

/**
 * `text` as an object name: `_` for a space and `/`, letters and digits of any script, `_`, `.` and `-`, in lower case;
 * drops everything else. May be empty.
 */
export function safeName(text: string): string {
  // Lower case may turn a letter into a letter and a mark; drop such marks too.
  return text.replace(/[ /]/g, '_').replace(NOT_ALLOWED, '').toLowerCase().replace(NOT_ALLOWED, '')
}

/** The op name of spans called `spanName`. Names that become equal share an op. */
export function spanOpName(spanName: string): string {
  return safeName(shortened(spanName)) || UNNAMED
}

/**
 * A name matches itself and an op of any version: of an SDK, of a span, and of spans that were stored when
 * refs escaped their names.
 */
export function opNames(project: string, name: string): string[] {
  if (name.startsWith('weave:///')) return [name]
  const ops = new Set([encodeURIComponent(name), spanOpName(name)])
  return [name, ...[...ops].map((op) => `weave:///${project}/op/${op}:*`)]
}

/** The decoded name in the ref of an op or object; a plain name stays itself. */
export function nameIn(op: string): string {
  if (!op.startsWith('weave:///')) return op
  const name = /\/(?:op|object)\/([^/:]+):/.exec(op)?.[1]
  if (name === undefined) return op
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Cuts a name of more than 128 characters at a break, and appends four hex digits of its hash. */
function shortened(name: string): string {
  if (name.length <= OBJECT_ID_LIMIT) return name
  const characters = [...name]
  if (characters.length <= OBJECT_ID_LIMIT) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 4)
  return `${characters.slice(0, cutOf(characters, OBJECT_ID_LIMIT - 5)).join('')}:${hash}`
}

/** How many characters to keep: up to, without, the last break before `most`; `most` if there is none. */
function cutOf(characters: readonly string[], most: number): number {
  const isBreak = (at: number) => BREAKS.has(characters[at]!)
  const first = isBreak(0) ? 1 : characters.findIndex((_, at) => isBreak(at))
  if (first < 0 || first > most) return most
  for (let at = most - 1; at > first; at--) if (isBreak(at) && !isBreak(at - 1)) return at
  return first
}
