/** Bytes of bodies that are held at the moment, and the most that may be. Knows nothing of what they are for. */

export class BodyBudget {
  private bytes = 0

  /** @param whole what this is a part of: bytes taken here are taken there too */
  constructor(
    readonly limit: number,
    private readonly whole?: BodyBudget,
  ) {}

  get held(): number {
    return this.bytes
  }

  /** Takes `count` bytes if they fit. */
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

  /** Leaves `count` bytes to the whole alone, which goes on holding them. */
  pass(count: number): void {
    this.bytes -= count
  }
}
