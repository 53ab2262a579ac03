/**
 * A budget of bytes under way that tenants share. Each entity's allowance grows with the room that is left (dynamic
 * thresholds, as switches share their buffers): an entity alone may hold most of it, several hold equal parts, and a new
 * one always finds room; so it is with the projects of one.
 */
import { errors } from '../../platform/errors/catalog.js'
import { Counts } from '../../platform/fairness/counts.js'
import type { Tenant } from './tenant.js'

/** An entity may hold this many times the room that is left over: 4/5 of all when alone, 4/9 each of two, … */
const PER_ENTITY = 4
/** And one project of it so many times; what its entity may hold beyond that is for its other projects. */
const PER_PROJECT = 3

export class FairBudget {
  private readonly byHolder = new Counts()
  private total = 0

  /** @param limit bytes that may be under way at once */
  constructor(readonly limit: number) {}

  /** Bytes under way. */
  get held(): number {
    return this.total
  }

  /**
   * Takes `bytes` for a tenant; returns what gives them back (harmless twice).
   * @throws `SHARE_USED` (429) if others are active and this one has its share, `OVERLOADED` (503) if there is no room
   */
  take({ entity, project }: Tenant, bytes: number): () => void {
    const room = this.limit - this.total - bytes
    const shares: [holder: string, times: number][] = [
      [`${entity} ${project}`, PER_PROJECT],
      [entity, PER_ENTITY],
    ]
    for (const [holder, times] of shares) {
      const held = this.byHolder.of(holder)
      // A holder of nothing is not measured by its share: it only has to fit.
      if (held > 0 && held + bytes > times * room)
        throw held === this.total ? errors.overloaded() : errors.shareUsed()
    }
    if (room < 0) throw errors.overloaded()
    const holders = shares.map(([holder]) => holder)
    this.add(holders, bytes)
    let given = false
    return () => {
      if (given) return
      given = true
      this.add(holders, -bytes)
    }
  }

  private add(holders: readonly string[], bytes: number): void {
    this.total += bytes
    this.byHolder.add(holders, bytes)
  }
}
