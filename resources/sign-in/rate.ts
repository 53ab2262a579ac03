/** Counts what callers do within a time, in this process. */
import { Lru } from '../../platform/lru/lru.js'

const CALLERS = 10_000

export class Rate {
  private readonly counts = new Lru<{ count: number; until: number }>(CALLERS)

  constructor(
    private readonly most: number,
    private readonly perMs: number,
  ) {}

  /** Counts one; false: it is too much. */
  allows(caller: string, now = Date.now()): boolean {
    const known = this.counts.get(caller)
    const current = known !== undefined && known.until > now ? known : { count: 0, until: now + this.perMs }
    current.count++
    this.counts.set(caller, current)
    return current.count <= this.most
  }
}
