/**
 * Which processes wait for answers, by how long ago each was heard of. Redis says at once that one is gone only where it
 * is one server that closed its connection: a cluster does not, and a machine that lost its power closes nothing. Knows
 * nothing of channels.
 */

/** Longer than a cluster takes to give a listener another place to listen. */
const GONE_MS = 10_000
/** A look that comes so late says that this process hung, so that silence says nothing. */
const HUNG_MS = 2000

export class CallerLiveness {
  /** ms of the clock */
  private readonly heardAt = new Map<string, number>()
  private looked: number

  /** @param now ms */
  constructor(private readonly now: () => number = performance.now.bind(performance)) {
    this.looked = now()
  }

  /** A process gave a sign of life, or work of it came. */
  heard(api: string): void {
    this.heardAt.set(api, this.now())
  }

  /**
   * To be called every so often: the processes that are gone, each told once.
   * @param listening false: nothing could be heard, so that silence says nothing
   */
  gone(listening: boolean): string[] {
    const now = this.now()
    const hung = now - this.looked > HUNG_MS
    this.looked = now
    const gone: string[] = []
    for (const [api, at] of this.heardAt) {
      if (hung || !listening) this.heardAt.set(api, now)
      else if (now - at > GONE_MS) gone.push(api)
    }
    for (const api of gone) this.heardAt.delete(api)
    return gone
  }
}
