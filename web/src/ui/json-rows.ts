/** The rows of a tree of JSON. Pure. */

export interface Row {
  /** the keys on the way, joined: names it */
  path: string
  depth: number
  /** of the member; of the root undefined */
  key: string | undefined
  kind: 'string' | 'number' | 'other' | 'inside'
  shown: string
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
  isCut: (value: unknown) => boolean
  /** lower case: only rows with it and those above them; empty: all */
  text: string
}

/** Above this depth a value is open at first. */
export const OPEN_DEPTH = 2
const MOST_ROWS = 200_000

export function rowsOf(root: unknown, { toggled, loaded, isCut, text }: Options): Row[] {
  const rows: Row[] = []
  /** @returns whether something here has the text */
  const walk = (given: unknown, key: string | undefined, path: string, depth: number): boolean => {
    if (rows.length >= MOST_ROWS) return false
    const value = loaded.get(path) ?? given
    const left = isCut(value)
    const isInside = typeof value === 'object' && value !== null
    const entries = isInside && !left ? entriesOf(value) : []
    const opens = left || entries.length > 0
    const isOpen = opens && !left && (text !== '' || toggled.has(path) !== depth < OPEN_DEPTH)
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
    const at = rows.push(row)
    let found = text === '' || `${key ?? ''} ${isInside ? '' : shown}`.toLowerCase().includes(text)
    if (isOpen)
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
