/** Tells an embedded engine, which sees statements only, that other accounts than a statement's are active. */

import { accountOf, type Caller } from '../fairness/caller.js'
import { activeAccounts } from '../fairness/recent-accounts.js'

/** A read of an account that is not alone has this header. */
export const BESIDE_OTHERS = 'x-clickhouse-beside-others'

/** Headers of a read of `caller`. Our own statements never say it: else an account that is alone would be held to its share. */
export function besideOthers(caller: Caller): Record<string, string> {
  return activeAccounts.hasOthers(accountOf(caller)) ? { [BESIDE_OTHERS]: '1' } : {}
}
