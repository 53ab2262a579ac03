/**
 * The order in which batches were cut, and which of them are through: a second step (a join, a replacement) of one
 * batch must see the rows of every batch before it.
 */

export class BatchOrder {
  private begun = 0
  /** every batch up to this one is through */
  private through = 0
  private readonly early = new Set<number>()
  private waiting: { upTo: number; go: () => void }[] = []

  /** Begins a batch; returns its number. */
  begin(): number {
    return ++this.begun
  }

  /** Batch `number` is through: stored, or failed for good. */
  end(number: number): void {
    this.early.add(number)
    while (this.early.delete(this.through + 1)) this.through++
    const ready = this.waiting.filter((waiter) => waiter.upTo <= this.through)
    if (ready.length === 0) return
    this.waiting = this.waiting.filter((waiter) => waiter.upTo > this.through)
    for (const waiter of ready) waiter.go()
  }

  /** Resolves when batch `upTo` and all before it are through; without a number, all begun until now. */
  reached(upTo: number = this.begun): Promise<void> {
    if (upTo <= this.through) return Promise.resolve()
    return new Promise((go) => this.waiting.push({ upTo, go }))
  }
}
