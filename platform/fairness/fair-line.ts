/**
 * Items that wait, by account: the account that has used the least is next (start-time fair queueing). What is used is
 * forgotten once nothing waits.
 */
interface Account<Item> {
  /** not yet taken, from `next` on */
  items: (Item | undefined)[]
  next: number
  /** what it had used when it was last charged, on the clock of all */
  used: number
}

/** The fewest taken items whose places are given back at once. */
const KEPT = 32

export class FairLine<Item> {
  private readonly accounts = new Map<string, Account<Item>>()
  /** what the account of the last item had used: newcomers begin there */
  private clock = 0
  private count = 0

  get length(): number {
    return this.count
  }

  push(account: string, item: Item): void {
    this.of(account).items.push(item)
    this.count++
  }

  /** The next item, with its account; of an account in the order they came. @param except an account that is left out */
  take(except?: string): { account: string; item: Item } | undefined {
    let first: { name: string; account: Account<Item> } | undefined
    for (const [name, account] of this.accounts) {
      const waits = account.next < account.items.length
      if (waits && name !== except && (!first || account.used < first.account.used)) first = { name, account }
      if (!waits && account.used <= this.clock) this.accounts.delete(name)
    }
    if (!first) return undefined
    const { name, account } = first
    this.clock = Math.max(this.clock, account.used)
    const item = account.items[account.next]!
    // What was taken must not be held: on a busy service a line is never empty.
    account.items[account.next++] = undefined
    this.count--
    if (account.next >= KEPT && account.next * 2 >= account.items.length) {
      account.items.splice(0, account.next)
      account.next = 0
    }
    return { account: name, item }
  }

  /** Charges what an item took, which may never have waited. */
  charge(account: string, cost: number): void {
    this.of(account).used += cost
  }

  /** Forgets what was used, if nothing waits. */
  forget(): void {
    if (this.count > 0) return
    this.accounts.clear()
    this.clock = 0
  }

  private of(name: string): Account<Item> {
    let account = this.accounts.get(name)
    if (!account) {
      account = { items: [], next: 0, used: this.clock }
      this.accounts.set(name, account)
    } else if (account.next === account.items.length) account.used = Math.max(account.used, this.clock)
    return account
  }
}
