/**
 * Under which paths the leaf index may have a leaf of a span's attributes: its own, or that of the column which a
 * convention put it into, where it is indexed already. Made of the table of conventions. Pure.
 */
import { SPAN_PATH } from '../calls/json-leaves.js'
import { ATTRIBUTES, INPUTS, OUTPUT, type Source } from './table.js'

/** Where a source puts its value: at `named`, and without its key at `bare`. */
interface Place {
  readonly key: string
  readonly named: readonly string[]
  readonly bare?: readonly string[]
}

const content = (column: string, sources: readonly Source[]): Place[] =>
  sources.map(([key, , reading]) => ({
    key,
    named: [column, key],
    ...(reading?.bare ? { bare: [column] } : {}),
  }))

const PLACES: readonly Place[] = [
  ...content('inputs', INPUTS),
  ...content('output', OUTPUT),
  ...Object.entries<readonly Source[]>(ATTRIBUTES).flatMap(([name, sources]) =>
    sources.map(([key]): Place => ({ key, named: ['attributes', name] })),
  ),
]

/** The paths of the leaf at `path` in a span's attributes, as segments from the column on. */
export function spanLeafPaths(path: readonly string[]): string[][] {
  const paths = [
    [...SPAN_PATH, ...path],
    ['attributes', ...path],
  ]
  for (let end = 1; end <= path.length; end++) {
    const key = path.slice(0, end).join('.')
    const rest = path.slice(end)
    for (const place of PLACES) {
      if (place.key !== key) continue
      paths.push([...place.named, ...rest])
      if (place.bare) paths.push([...place.bare, ...rest])
    }
  }
  return paths
}
