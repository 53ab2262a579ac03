/**
 * How many jobs a worker may have, shared by several takers: one that has taken a job fetches the next only when there
 * is a place for it, beside those for what the others may be fetching. Pure counting; knows nothing of queues.
 */

export class Slots {
  private limit = 0
  private takers = 0
  private used = 0
  /** takers that have one and want the next */
  private readonly waiting: (() => void)[] = []
  private idle: (() => void)[] = []

  /** @param takers those that fetch, at most `limit` */
  set(limit: number, takers: number): void {
    this.limit = limit
    this.takers = takers
    this.look()
  }

  /** A job was taken. */
  take(): void {
    this.used++
  }

  /** A job is answered. */
  leave(): void {
    this.used--
    this.look()
    if (this.used > 0) return
    for (const tell of this.idle.splice(0)) tell()
  }

  /** Resolves when whoever has just taken a job may fetch the next. */
  free(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.look()
    })
  }

  /** Resolves when every job that was taken is answered. */
  async empty(): Promise<void> {
    if (this.used > 0) await new Promise<void>((resolve) => this.idle.push(resolve))
  }

  private look(): void {
    while (this.waiting.length > 0 && this.used + this.takers - this.waiting.length < this.limit)
      this.waiting.shift()!()
  }
}
