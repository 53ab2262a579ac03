/** Work that is done again and again while the process runs, one at a time. */
export class RepeatedWork {
  private timer: NodeJS.Timeout | undefined
  private readonly stopping = new AbortController()
  private running: Promise<void> = Promise.resolve()

  /**
   * @param once never rejects; the signal aborts when the work has to stop
   * @param everyMs from its end to its next start
   */
  constructor(
    private readonly once: (signal: AbortSignal) => Promise<void>,
    private readonly everyMs: number,
  ) {}

  /** @param firstMs until the first start */
  start(firstMs = this.everyMs): void {
    this.timer = setTimeout(() => {
      this.running = this.once(this.stopping.signal).finally(() => {
        if (!this.stopping.signal.aborted) this.start()
      })
    }, firstMs)
    this.timer.unref()
  }

  /** Resolves when no work is under way any more. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    this.stopping.abort()
    await this.running
  }
}
