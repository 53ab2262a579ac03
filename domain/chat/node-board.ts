/**
 * Tracks which nodes are up, from workers' announcements: reads all of them when the connection is established, then
 * applies each published one. Announcements are dated by this machine's clock on arrival, since other clocks may be
 * wrong.
 */
import type { Redis } from 'ioredis'
import { NODES_KEY } from '../../platform/redis/names.js'
import { type Announcement, isAwaited, KNOWN_MS, nodesUp, readAnnouncement } from './node-announcement.js'

export class NodeBoard {
  private readonly all = new Map<string, Announcement>()

  /**
   * @param returnMs how long a lost node is expected back
   * @param now ms since 1970
   */
  constructor(
    private readonly returnMs = 0,
    private readonly now: () => number = Date.now,
  ) {}

  /** Reads all announcements with their own dates; any wrongly dated one is repeated soon anyway. */
  async read(redis: Redis): Promise<void> {
    for (const text of Object.values(await redis.hgetall(NODES_KEY))) {
      const one = readAnnouncement(text)
      if (one) this.take({ ...one, at: Math.min(one.at, this.now()) })
    }
  }

  /** Applies an announcement that was just published. */
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

  /** The nodes that are up, the longest-running first. */
  up(): Announcement[] {
    return nodesUp(this.all.values(), this.now())
  }

  /** Nodes that are up and serve `model`. */
  serving(model: string): Announcement[] {
    return this.up().filter((node) => node.model === model)
  }

  /** Nodes of `model` (absent: of any) that are up or expected back, so a request may wait. */
  awaited(model?: string): Announcement[] {
    const now = this.now()
    return [...this.all.values()].filter(
      (one) => (model === undefined || one.model === model) && isAwaited(one, now, this.returnMs),
    )
  }

  /** True if the nodes of `model` make embeddings, and don't chat. */
  embeds(model: string): boolean {
    return this.awaited(model).some(({ embeds }) => embeds)
  }

  /** True if every node of `model` takes images: a request may go to any. */
  takesImages(model: string): boolean {
    return this.awaited(model).every(({ images }) => images)
  }

  /** The base models that are served, or were served within the last hour. */
  known(): Set<string> {
    const since = this.now() - KNOWN_MS
    return new Set([...this.all.values()].filter(({ at }) => at > since).map(({ model }) => model))
  }

  private forget(): void {
    const since = this.now() - KNOWN_MS
    for (const [key, { at }] of this.all) if (at < since) this.all.delete(key)
  }
}
