/** The rows of a tree of JSON. Pure. */

import { isRef } from '../../../domain/refs/in-values'
import { ExactNumber, isInside } from '../api/json'
import type { Refs } from '../api/refs'

export interface Row {
  /** the keys on the way, joined: names it */
  path: string
  depth: number
  /** of the member; of the root undefined */
  key: string | undefined
  /** text: the whole of the string in the row above */
  kind: 'string' | 'number' | 'other' | 'inside' | 'text'
  shown: string
  /** where the value comes from */
  ref?: string
  /** it has something inside */
  opens: boolean
  isOpen: boolean
  /** what stands for a value that was left out */
  cut?: unknown
  value: unknown
}

interface Known {
  loaded: ReadonlyMap<string, unknown>
  refs: Refs
  isCut: (value: unknown) => boolean
}

interface Options extends Known {
  /** paths that are not as they begin: open at the first level, closed below */
  toggled: ReadonlySet<string>
  /** what a search has found is open */
  hits: Hits
}

/** Where a text is, in the order of the rows. */
export interface Hits {
  paths: readonly string[]
  /** all that have one of them inside */
  above: ReadonlySet<string>
  /** something was left out, and so not searched */
  isPart: boolean
}

export const NO_HITS: Hits = { paths: [], above: new Set(), isPart: false }

/** Above this depth a value is open at first. */
export const OPEN_DEPTH = 2
const MOST_ROWS = 200_000
/** A longer string is opened to be read. */
const ONE_LINE = 80

export function rowsOf(root: unknown, { toggled, hits, ...known }: Options): Row[] {
  const rows: Row[] = []
  const walk = (given: unknown, key: string | undefined, path: string, depth: number): void => {
    if (rows.length >= MOST_ROWS) return
    const { ref, value, isLeft, isInside } = placed(given, path, known)
    const entries = isInside && !isLeft ? entriesOf(value as object) : []
    const isLong = typeof value === 'string' && (value.length > ONE_LINE || value.includes('\n'))
    const opens = isLeft || isLong || entries.length > 0
    const isToggled = toggled.has(path)
    // A text is opened by hand, and so is what a ref points at.
    const isOpen =
      opens &&
      !isLeft &&
      (hits.above.has(path) || (isLong || ref !== undefined ? isToggled : isToggled !== depth < OPEN_DEPTH))
    const shown = isLeft ? '… open to read' : isInside ? summary(value as object) : scalar(value)
    const kind = isLeft || isInside ? 'inside' : kindOf(value)
    const row: Row = { path, depth, key, kind, shown, opens, isOpen, value }
    if (isLeft) row.cut = value
    if (ref !== undefined) row.ref = ref
    rows.push(row)
    if (isOpen && isLong)
      rows.push({
        ...{ path: `${path}/ text`, depth: depth + 1, key: undefined, kind: 'text', shown },
        ...{ opens: false, isOpen: false, value },
      })
    else if (isOpen) for (const [name, inner] of entries) walk(inner, name, `${path}/${name}`, depth + 1)
  }
  walk(root, undefined, '', 0)
  return rows
}

/** Of more hits, the first are found. */
export const MOST_HITS = 10_000
const DEEPEST_HIT = 500

/**
 * Where `text` is among the keys and values, whether they are open or not. What was left out and not been read yet is not
 * searched.
 * @param text lower case; empty: nowhere
 */
export function hitsOf(root: unknown, text: string, known: Known): Hits {
  if (text === '') return NO_HITS
  const paths: string[] = []
  const above = new Set<string>()
  let isPart = false
  /** @param from where a ref led here, refs are not followed: they may lead back @returns whether a hit is here or inside */
  const walk = (given: unknown, key: string, path: string, depth: number, from?: string): boolean => {
    if (paths.length >= MOST_HITS || depth > DEEPEST_HIT) return false
    const { ref, value, isLeft, isInside } = placed(
      given,
      path,
      from === undefined ? known : { ...known, refs: NO },
    )
    const isHit =
      key.toLowerCase().includes(text) || (!isInside && scalar(value).toLowerCase().includes(text))
    if (isHit) paths.push(path)
    if (isLeft) isPart = true
    if (!isInside || isLeft) return isHit
    let isWithin = false
    const isList = Array.isArray(value)
    for (const [name, inner] of entriesOf(value as object))
      if (walk(inner, isList ? '' : name, `${path}/${name}`, depth + 1, from ?? ref)) isWithin = true
    if (isWithin) above.add(path)
    return isHit || isWithin
  }
  walk(root, '', '', 0)
  return { paths, above, isPart }
}

const NO: Refs = new Map()

/** What stands at a path. */
function placed(given: unknown, path: string, { loaded, refs, isCut }: Known) {
  const there = loaded.get(path) ?? given
  const ref = isRef(there) ? there : undefined
  const value = ref === undefined ? there : (refs.get(ref) ?? there)
  return { ref, value, isLeft: isCut(value), isInside: isInside(value) }
}

const entriesOf = (value: object): [string, unknown][] =>
  Array.isArray(value) ? value.map((one, i) => [String(i), one]) : Object.entries(value)

function summary(value: object): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.length}]`
  const keys = Object.keys(value)
  return keys.length === 0 ? '{}' : `{${keys.slice(0, 4).join(', ')}${keys.length > 4 ? ', …' : ''}}`
}

const scalar = (value: unknown): string => (typeof value === 'string' ? value : String(value))

function kindOf(value: unknown): Row['kind'] {
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' || value instanceof ExactNumber ? 'number' : 'other'
}
