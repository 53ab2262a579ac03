/**
 * Which processes are alive, by how long ago each gave a sign of life. Redis says at once that one is gone only where it
 * is one server that closed its connection: a cluster does not, and a machine that lost its power closes nothing. Knows
 * nothing of channels.
 */

/** A look that comes so late says that this process hung, so that silence says nothing. */
const HUNG_MS = 1500

export class Liveness {
  /** ms of the clock */
  private readonly heardAt = new Map<string, number>()
  private lookedAt: number

  /** @param now ms */
  constructor(readonly now: () => number = performance.now.bind(performance)) {
    this.lookedAt = now()
  }

  /** `name` gave a sign of life. */
  heard(name: string): void {
    this.heardAt.set(name, this.now())
  }

  /** How long `name` has been silent, in ms; for ever if it was never heard of. */
  silence(name: string): number {
    return this.now() - (this.heardAt.get(name) ?? Number.NEGATIVE_INFINITY)
  }

  /**
   * To be called regularly: forgets what was silent for longer than `ms`, and forgives silence while this process hung.
   * @param listening false: nothing could be heard, so that silence says nothing
   * @returns what was forgotten, each told once, and whether silence was forgiven
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
