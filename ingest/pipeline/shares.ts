/**
 * Who may hold how much of the bytes that are under way. Each entity's allowance grows with the room that is left
 * (dynamic thresholds, as switches share their buffers): an entity alone may hold most of it, several hold equal parts,
 * and there is always room for one that comes new; so it is with the projects of one. Knows nothing of queues or HTTP.
 */
import { errors } from '../../common/errors/catalog.js'
import type { Turn } from './fair-queue.js'

/** An entity may hold this many times the room that is left over: 4/5 of all when alone, 4/9 each of two, … */
const GREED = 4
/** And one project of it so many times: what its entity may hold beyond that is for its other projects. */
const PART_GREED = 3

export class Shares {
  private readonly byHolder = new Map<string, number>()
  private total = 0

  /** @param limit bytes that may be under way at once */
  constructor(readonly limit: number) {}

  /** Bytes under way. */
  get held(): number {
    return this.total
  }

  /**
   * Takes `bytes` for a project of an entity; returns what gives them back (harmless twice).
   * @throws `SHARE_USED` (429) if others are active and this one has its share, `OVERLOADED` (503) if there is no room
   */
  take({ entity, part }: Turn, bytes: number): () => void {
    const after = this.limit - this.total - bytes
    const parts = [
      { name: `${entity} ${part}`, greed: PART_GREED },
      { name: entity, greed: GREED },
    ]
    for (const { name, greed } of parts) {
      const mine = this.of(name)
      // Who holds nothing is never measured by its share: it only has to fit.
      if (mine > 0 && mine + bytes > greed * after)
        throw mine === this.total ? errors.overloaded() : errors.shareUsed()
    }
    if (after < 0) throw errors.overloaded()
    this.add(parts, bytes)
    let given = false
    return () => {
      if (given) return
      given = true
      this.add(parts, -bytes)
    }
  }

  /** Bytes that an entity holds, or a project of one. */
  private of(name: string): number {
    return this.byHolder.get(name) ?? 0
  }

  private add(parts: readonly { name: string }[], bytes: number): void {
    this.total += bytes
    for (const { name } of parts) {
      const held = this.of(name) + bytes
      if (held > 0) this.byHolder.set(name, held)
      else this.byHolder.delete(name)
    }
  }
}
