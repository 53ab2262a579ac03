/** Tells an embedded engine, which sees statements only, that other accounts than a statement's are active. */

import { accountOf, type Caller, isOurs } from '../fairness/caller.js'
import { activeAccounts } from '../fairness/recent-accounts.js'

/** A read of an account that is not alone has this header. */
export const BESIDE_OTHERS = 'x-clickhouse-beside-others'

/** Headers of a read of `caller`. Our own work says nothing: it is no account, and one that is alone has all. */
export function besideOthers(caller: Caller): Record<string, string> {
  const account = accountOf(caller)
  return !isOurs(account) && activeAccounts.hasOthers(account) ? { [BESIDE_OTHERS]: '1' } : {}
}
