/**
 * Tracks which processes are alive by their last sign of life. Redis reports a lost process at once only if it is a
 * single server and the connection was closed: a cluster does not report it, and a machine without power closes
 * nothing.
 */

/** If a check comes this late, this process itself hung, so silence proves nothing. */
const HUNG_MS = 1500

export class Liveness {
  /** ms of the clock */
  private readonly heardAt = new Map<string, number>()
  private lookedAt: number

  /** @param now ms */
  constructor(readonly now: () => number = performance.now.bind(performance)) {
    this.lookedAt = now()
  }

  /** Records a sign of life of `name`. */
  heard(name: string): void {
    this.heardAt.set(name, this.now())
  }

  /** How long `name` has been silent, in ms; infinite if never heard. */
  silence(name: string): number {
    return this.now() - (this.heardAt.get(name) ?? Number.NEGATIVE_INFINITY)
  }

  /**
   * Call this regularly: forgets names silent for longer than `ms`, and forgives silence while this process hung.
   * @param listening false: nothing could be heard, so silence proves nothing
   * @returns the forgotten names, each once, and whether silence was forgiven
   */
  look(ms: number, listening = true): { gone: string[]; forgiven: boolean } {
    const now = this.now()
    const forgiven = !listening || now - this.lookedAt > HUNG_MS
    this.lookedAt = now
    if (forgiven) for (const name of this.heardAt.keys()) this.heardAt.set(name, now)
    const gone = [...this.heardAt].filter(([, at]) => now - at > ms).map(([name]) => name)
    for (const name of gone) this.heardAt.delete(name)
    return { gone, forgiven }
  }
}
