/** Limits what a caller may do within a time, in this process: each try costs the store or a provider something. */
import { errors } from '../../platform/errors/catalog.js'
import { Lru } from '../../platform/lru/lru.js'

const CALLERS = 10_000

export class Rate {
  private readonly counts = new Lru<{ count: number; until: number }>(CALLERS)

  constructor(
    private readonly most: number,
    private readonly perMs: number,
  ) {}

  /** Counts one. @throws `SIGN_IN_TOO_OFTEN` (429) */
  admit(caller: string, now = Date.now()): void {
    const known = this.counts.get(caller)
    const current = known !== undefined && known.until > now ? known : { count: 0, until: now + this.perMs }
    current.count++
    this.counts.set(caller, current)
    if (current.count > this.most) throw errors.signInTooOften()
  }
}
