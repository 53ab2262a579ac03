/** Large values without most of their insides: these are asked for by their path. Pure. */

const MARK = '\u0000cut'
const TEXT = 20_000
const NODES = 3_000

/** Stands for a value that was left out. */
export interface Cut {
  [MARK]: 'array' | 'object' | 'string'
  path: (string | number)[]
  size: number
}

export function isCut(value: unknown): value is Cut {
  return typeof value === 'object' && value !== null && MARK in value
}

/** `value` with as much inside as fits; lists and objects beyond that, and long texts, are cut. */
export function cutDown(root: unknown, rootPath: (string | number)[] = []): unknown {
  let nodes = 0
  const walk = (value: unknown, path: (string | number)[]): unknown => {
    nodes++
    if (typeof value === 'string') return value.length <= TEXT ? value : cut('string', path, value.length)
    if (typeof value !== 'object' || value === null) return value
    const isWhole = path.length === rootPath.length
    if (Array.isArray(value)) {
      if (!isWhole && nodes + value.length > NODES) return cut('array', path, value.length)
      return value.map((one, i) => walk(one, [...path, i]))
    }
    const entries = Object.entries(value)
    if (!isWhole && nodes + entries.length > NODES) return cut('object', path, entries.length)
    return Object.fromEntries(entries.map(([key, one]) => [key, walk(one, [...path, key])]))
  }
  // Of the root nothing but texts is cut: it was asked for.
  return typeof root === 'string' ? root : walk(root, rootPath)
}

function cut(kind: Cut[typeof MARK], path: (string | number)[], size: number): Cut {
  return { [MARK]: kind, path, size }
}

/** The value at `path`. */
export function insideOf(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown> | undefined)?.[key],
    root,
  )
}
