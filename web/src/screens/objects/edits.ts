/** Changes of a dataset's rows before they are saved. Pure. */
import type { Row, TableUpdate } from '../../api/datasets'

export interface Edits {
  /** by place; null: it goes */
  changed: ReadonlyMap<number, Row | null>
  added: readonly Row[]
}

export const NO_EDITS: Edits = { changed: new Map(), added: [] }

export const editCount = ({ changed, added }: Edits): number => changed.size + added.length

/** The row at a place of a table with `total` rows takes another value; null removes it. */
export function withRow({ changed, added }: Edits, total: number, index: number, row: Row | null): Edits {
  if (index < total) return { changed: new Map(changed).set(index, row), added }
  const at = index - total
  return { changed, added: row === null ? added.filter((_, i) => i !== at) : added.with(at, row) }
}

/** As the service takes them: from the end, so that no place moves before its turn; then what is added. */
export function updatesOf({ changed, added }: Edits): TableUpdate[] {
  const places = [...changed].sort(([a], [b]) => b - a)
  const replaced = places.flatMap(([index, row]): TableUpdate[] => [
    { pop: { index } },
    ...(row === null ? [] : [{ insert: { index, row } }]),
  ])
  return [...replaced, ...added.map((row) => ({ append: { row } }))]
}
