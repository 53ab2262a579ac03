/** Which accounts have asked for something in the last seconds. */
import { isCustomer } from './caller.js'

/** An account that asked within these milliseconds will ask again: a page that is open, a program that runs. */
const ASKS_AGAIN_MS = 5000

export class RecentAccounts {
  /** when each last asked, the latest last */
  private readonly byTime = new Map<string, number>()

  /** Notes that `account` asks now, if it is a customer's. */
  note(account: string): void {
    if (!isCustomer(account)) return
    this.byTime.delete(account)
    this.byTime.set(account, performance.now())
  }

  /** True if `account` asked lately. */
  has(account: string): boolean {
    return this.lately().has(account)
  }

  /** True if another than `account` asked lately; nobody is beside what is no customer's. */
  hasOthers(account: string): boolean {
    if (!isCustomer(account)) return false
    const lately = this.lately()
    return lately.size > (lately.has(account) ? 1 : 0)
  }

  private lately(): ReadonlyMap<string, number> {
    const since = performance.now() - ASKS_AGAIN_MS
    for (const [account, at] of this.byTime) {
      if (at >= since) break
      this.byTime.delete(account)
    }
    return this.byTime
  }
}

/** The accounts whose requests this process takes. */
export const activeAccounts = new RecentAccounts()
