/** Before rows of a batch are stored: which of them stand beside another row of their call, which is announced to readers. */
import type { ExpectedRow } from '../../domain/calls/unsettled.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { type CallChange, callKey } from '../merge/call-change.js'
import { storedById, storedByKey, storedHalves } from '../merge/stored.js'
import type { Unsettled } from '../merge/unsettled.js'
import type { Duplicate } from './duplicates.js'

/** The rows among `changes` that take the place of what is stored of their calls. An end takes none. */
export function expectedRows(changes: readonly CallChange[]): ExpectedRow[] {
  return changes.flatMap((change): ExpectedRow[] => {
    const { projectId, id, ver } = change
    if (isWhole(change)) return [{ projectId, id, ver, kind: 'whole' }]
    return change.kind === 'start' ? [{ projectId, id, ver, kind: 'half' }] : []
  })
}

/** True for a row that is a whole call, and so takes the place of others of its call. */
export function isWhole({ kind }: CallChange): boolean {
  return kind === 'span' || kind === 'whole'
}

/**
 * Announces rows of `duplicates` that stand beside others. A whole call of which nothing was written lately is looked for:
 * if it is not there nothing is to be done for it, as whatever comes later knows of this one.
 * @returns the duplicates that need a second step
 */
export async function announceReplacing(
  store: Store,
  unsettled: Unsettled,
  duplicates: readonly Duplicate[],
): Promise<Duplicate[]> {
  const stored = await storedOf(
    store,
    duplicates.filter(({ known, change }) => !known && isWhole(change)).map(({ change }) => change),
  )
  const left = duplicates.filter(
    ({ known, change }) => known || !isWhole(change) || stored.has(callKey(change)),
  )
  await unsettled.announce(expectedRows(left.map(({ change }) => change)))
  return left
}

/** Those of these calls of which anything is stored, by their keys. */
async function storedOf(store: Store, changes: readonly CallChange[]): Promise<Set<string>> {
  const spans = changes.filter(({ kind }) => kind === 'span')
  const wholes = changes.filter(({ kind }) => kind === 'whole')
  const found = await Promise.all([
    storedByKey(store, spans),
    storedById(store, wholes),
    storedHalves(store, wholes),
  ])
  return new Set(found.flat().map(callKey))
}
