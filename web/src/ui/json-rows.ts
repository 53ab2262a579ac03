/** The rows of a tree of JSON. Pure. */
import { isRef } from '../../../domain/refs/in-values'
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
}

interface Options {
  /** paths that are not as they begin: open at the first level, closed below */
  toggled: ReadonlySet<string>
  loaded: ReadonlyMap<string, unknown>
  refs: Refs
  isCut: (value: unknown) => boolean
  /** lower case: only rows with it and those above them; empty: all */
  text: string
}

/** Above this depth a value is open at first. */
export const OPEN_DEPTH = 2
const MOST_ROWS = 200_000
/** A longer string is opened to be read. */
const ONE_LINE = 80

export function rowsOf(root: unknown, { toggled, loaded, refs, isCut, text }: Options): Row[] {
  const rows: Row[] = []
  /** @returns whether something here has the text */
  const walk = (given: unknown, key: string | undefined, path: string, depth: number): boolean => {
    if (rows.length >= MOST_ROWS) return false
    const there = loaded.get(path) ?? given
    const ref = isRef(there) ? there : undefined
    const value = ref === undefined ? there : (refs.get(ref) ?? there)
    const left = isCut(value)
    const isInside = typeof value === 'object' && value !== null
    const entries = isInside && !left ? entriesOf(value) : []
    const isLong = typeof value === 'string' && (value.length > ONE_LINE || value.includes('\n'))
    const opens = left || isLong || entries.length > 0
    const isToggled = toggled.has(path)
    // A text is opened by hand, and so is what a ref points at.
    const isOpen =
      opens &&
      !left &&
      (isLong || ref !== undefined ? isToggled : text !== '' || isToggled !== depth < OPEN_DEPTH)
    const shown = left ? '… open to read' : isInside ? summary(value) : scalar(value)
    const row: Row = {
      path,
      depth,
      key,
      kind: left || isInside ? 'inside' : kindOf(value),
      shown,
      opens,
      isOpen,
    }
    if (left) row.cut = value
    if (ref !== undefined) row.ref = ref
    const at = rows.push(row)
    let found = text === '' || `${key ?? ''} ${isInside ? '' : shown}`.toLowerCase().includes(text)
    if (isOpen && isLong)
      rows.push({
        ...{ path: `${path}/ text`, depth: depth + 1, key: undefined, kind: 'text', shown },
        ...{ opens: false, isOpen: false },
      })
    else if (isOpen)
      for (const [name, inner] of entries) found = walk(inner, name, `${path}/${name}`, depth + 1) || found
    if (!found) rows.length = at - 1
    return found
  }
  walk(root, undefined, '', 0)
  return rows
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
  return typeof value === 'number' ? 'number' : 'other'
}
