/** Lets work that comes again and again use a part of the time at most, so that whoever shares a store with it notices little. */
export class PartTime {
  private restUntil = Number.NEGATIVE_INFINITY

  /**
   * @param share of the time, at most @param everyMs between two starts, when the work is quick
   * @param longestMs of a rest
   */
  constructor(
    private readonly share: number,
    private readonly everyMs: number,
    private readonly longestMs: number,
  ) {}

  /** Does `work`, unless it is to rest. */
  async run(work: () => Promise<void>): Promise<void> {
    const from = performance.now()
    if (from < this.restUntil) return
    await work()
    const now = performance.now()
    this.restUntil = now + Math.min(this.longestMs, (now - from) / this.share - this.everyMs)
  }
}
