/** The second step of writes over a store, for tests that ask for it themselves. */
import type { Store } from '../../platform/clickhouse/store.js'
import { JoinedHalves } from '../merge/joined-halves.js'
import { Merge } from '../merge/merge.js'
import { Unsettled } from '../merge/unsettled.js'

export function mergeOf(store: Store): Merge {
  const unsettled = new Unsettled(store)
  return new Merge(store, unsettled, new JoinedHalves(store, unsettled))
}
