/** Which accounts have asked for something in the last seconds: beside others, an account is held to its share. */
import { isOurs } from './caller.js'

/** An account that asked within these milliseconds will ask again: a page that is open, a program that runs. */
const ASKS_AGAIN_MS = 5000

export class ActiveAccounts {
  /** when each last asked, the latest last */
  private readonly asked = new Map<string, number>()

  /** Notes that `account` asks now; our own work, and callers without a name, are no account's. */
  note(account: string): void {
    if (account === '' || isOurs(account)) return
    this.asked.delete(account)
    this.asked.set(account, performance.now())
  }

  /** True if another than `account` asked lately. */
  hasOthers(account: string): boolean {
    const since = performance.now() - ASKS_AGAIN_MS
    for (const [other, at] of this.asked) {
      if (at >= since) break
      this.asked.delete(other)
    }
    return this.asked.size > (this.asked.has(account) ? 1 : 0)
  }
}

/** The accounts whose requests this process takes. */
export const activeAccounts = new ActiveAccounts()
