/**
 * Which nodes are up, by what workers announce: read whole when the connection comes up, then kept up to date by
 * every announcement that is published. What is heard is as old as that is here: clocks of other machines may be wrong.
 * Knows nothing of how a node is reached.
 */
import type { Redis } from 'ioredis'
import { NODES_KEY } from '../../platform/redis/names.js'
import { type Announcement, isAwaited, KNOWN_MS, nodesUp, readAnnouncement } from './node-announcement.js'

export class NodeBoard {
  private readonly all = new Map<string, Announcement>()

  /**
   * @param returnMs for so long a node that went is expected back
   * @param now ms since 1970
   */
  constructor(
    private readonly returnMs = 0,
    private readonly now: () => number = Date.now,
  ) {}

  /** Reads every announcement that is there: as old as it says, but for what may be too old is said again soon. */
  async read(redis: Redis): Promise<void> {
    for (const text of Object.values(await redis.hgetall(NODES_KEY))) {
      const one = readAnnouncement(text)
      if (one) this.take({ ...one, at: Math.min(one.at, this.now()) })
    }
  }

  /** Takes an announcement that was made just now. */
  note(text: string): void {
    const one = readAnnouncement(text)
    if (one) this.take({ ...one, at: this.now() })
  }

  private take(one: Announcement): void {
    const key = `${one.worker} ${one.address}`
    if ((this.all.get(key)?.at ?? 0) > one.at) return
    this.all.set(key, one)
    if (this.all.size > 1000) this.forget()
  }

  /** The nodes that are up, the one that is up longest first. */
  up(): Announcement[] {
    return nodesUp(this.all.values(), this.now())
  }

  /** Those of them that serve `model`. */
  serving(model: string): Announcement[] {
    return this.up().filter((node) => node.model === model)
  }

  /** Nodes of `model`, of any if absent, that are up or expected back: a request for it may wait. */
  awaited(model?: string): Announcement[] {
    const now = this.now()
    return [...this.all.values()].filter(
      (one) => (model === undefined || one.model === model) && isAwaited(one, now, this.returnMs),
    )
  }

  /** The base models that are served, or were within the last hour. */
  known(): Set<string> {
    const since = this.now() - KNOWN_MS
    return new Set([...this.all.values()].filter(({ at }) => at > since).map(({ model }) => model))
  }

  private forget(): void {
    const since = this.now() - KNOWN_MS
    for (const [key, { at }] of this.all) if (at < since) this.all.delete(key)
  }
}
