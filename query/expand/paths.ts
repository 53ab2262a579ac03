/** The checked paths of `expand_columns`, in order of expansion. Pure. */
import { pathSegments } from '../../domain/calls/leaves.js'
import { errors } from '../../platform/errors/catalog.js'

/** A path, its column first. */
export type Path = readonly string[]

const ROOTS = new Set(['inputs', 'output', 'attributes'])
const MOST = 50

/**
 * The paths, shallowest first, each once.
 * @throws 422 for a path outside the columns that can hold refs, 400 for too many
 */
export function expandPaths(columns: readonly string[] | null): Path[] {
  if (!columns) return []
  if (columns.length > MOST) throw errors.badRequest(`Expand at most ${MOST} columns.`)
  const paths = [...new Set(columns)].map((column) => {
    const path = pathSegments(column)
    if (!ROOTS.has(path[0]!)) throw errors.badField(column.slice(0, 200))
    return path
  })
  return paths.sort((a, b) => a.length - b.length)
}

/** True if `start` is a proper prefix of `path`. */
export function goesThrough(path: Path, start: Path): boolean {
  return path.length > start.length && start.every((part, i) => part === path[i])
}
