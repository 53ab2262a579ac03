/** What changed items do to the list of a dataset's rows. Pure. */
import type { DigestList } from '../../tables/digest-list.js'

/** A change of the list: the row of an item; '' for none, before or after. */
export interface RowChange {
  before: string
  after: string
}

/** The rows of the list with the changes: changed rows stay where they were, new ones come last. */
export function overlaid(list: DigestList, changes: readonly RowChange[]): string[] {
  const places = positionsOf(list, changes)
  const rows = [...list.texts()]
  for (const { before, after } of changes) {
    const at = places.get(before)
    if (at !== undefined) rows[at] = after
    else rows.push(after)
  }
  return rows.filter((row) => row !== '')
}

/**
 * The changes as the body of `/table/update` has them. Positions are those of the old list: changed rows are replaced in
 * their places, new ones are appended, and at last rows are removed from the end on.
 * @param textOf the text of a new row
 */
export function updatesOf(
  list: DigestList,
  changes: readonly RowChange[],
  textOf: (digest: string) => string,
): string[] {
  const places = positionsOf(list, changes)
  const updates: string[] = []
  const removed: number[] = []
  for (const { before, after } of changes) {
    const at = places.get(before)
    if (after === before) continue
    if (after === '') {
      if (at !== undefined) removed.push(at)
    } else if (at === undefined) updates.push(`{"append":{"row":${textOf(after)}}}`)
    else updates.push(`{"pop":{"index":${at}}}`, `{"insert":{"index":${at},"row":${textOf(after)}}}`)
  }
  removed.sort((a, b) => b - a)
  return [...updates, ...removed.map((at) => `{"pop":{"index":${at}}}`)]
}

/** Where the rows of before are in the list. */
function positionsOf(list: DigestList, changes: readonly RowChange[]): Map<string, number> {
  const wanted = new Set(changes.map(({ before }) => before))
  const places = new Map<string, number>()
  let at = 0
  for (const digest of list.texts()) {
    if (wanted.has(digest)) places.set(digest, at)
    at++
  }
  return places
}
