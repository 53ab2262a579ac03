/** A table's list after changes, in order. Pure. */
import { errors } from '../../common/errors/catalog.js'
import { LongList } from './long-list.js'
import type { Change } from './prepare.js'

export interface Changed {
  rowDigests: string[]
  /** of the row that each change put in or took out */
  touched: string[]
}

/** Applies `changes` to the list `base`. @throws 400 for an index that is not there */
export function applyChanges(base: readonly string[], changes: readonly Change[]): Changed {
  const list = new LongList(base)
  const touched = changes.map((change) => {
    if (change.kind === 'append') {
      list.push(change.digest)
      return change.digest
    }
    const most = change.kind === 'pop' ? list.length - 1 : list.length
    if (change.index < 0 || change.index > most)
      throw errors.badRequest(
        `There is no row ${change.index} to ${change.kind}: the table has ${list.length} then.`,
      )
    if (change.kind === 'pop') return list.remove(change.index)
    list.insert(change.index, change.digest)
    return change.digest
  })
  return { rowDigests: list.toArray(), touched }
}
