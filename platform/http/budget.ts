/** Counts the bytes of bodies in memory against a limit. */

export class BodyBudget {
  private bytes = 0

  /** @param whole the budget that this is a part of: bytes taken here count there too */
  constructor(
    readonly limit: number,
    private readonly whole?: BodyBudget,
  ) {}

  get held(): number {
    return this.bytes
  }

  /** Reserves `count` bytes, if they fit. */
  take(count: number): boolean {
    if (this.bytes + count > this.limit) return false
    if (this.whole && !this.whole.take(count)) return false
    this.bytes += count
    return true
  }

  give(count: number): void {
    this.bytes -= count
    this.whole?.give(count)
  }

  /** Hands `count` bytes over to the whole, which goes on counting them. */
  pass(count: number): void {
    this.bytes -= count
  }
}
