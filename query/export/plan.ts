/** What an export has to do for a view of a project. Pure. */
import type { File } from './layout.js'

export interface Plan {
  /** files to write, or to write again */
  write: File[]
  /** files that are as they should be */
  keep: File[]
  /** names of files whose rows are gone, or that nothing tells of */
  remove: string[]
}

/**
 * @param wanted the files by what the store has
 * @param known those of the manifest
 * @param there the names of what lies at the destination
 */
export function planOf(wanted: readonly File[], known: readonly File[], there: ReadonlySet<string>): Plan {
  const marks = new Map(known.map(({ name, mark }) => [name, mark]))
  const isKept = ({ name, mark }: File) => there.has(name) && marks.get(name) === mark
  const names = new Set(wanted.map(({ name }) => name))
  return {
    write: wanted.filter((file) => !isKept(file)),
    keep: wanted.filter(isKept),
    remove: [...there].filter((name) => !names.has(name)),
  }
}
