/**
 * Who may hold how much of the bytes that are under way. Each project's allowance grows with the room that is left
 * (dynamic thresholds, as switches share their buffers): a project alone may hold most of it, several hold equal
 * parts, and there is always room for one that comes new. Knows nothing of queues or HTTP.
 */
import { errors } from '../../common/errors/catalog.js'

/** A project may hold this many times the room that is left over: 4/5 of all when alone, 4/9 each of two, … */
const GREED = 4

export class Shares {
  private readonly byProject = new Map<string, number>()
  private total = 0

  /** @param limit bytes that may be under way at once */
  constructor(readonly limit: number) {}

  /** Bytes under way. */
  get held(): number {
    return this.total
  }

  /** Projects that hold something. */
  get active(): number {
    return this.byProject.size
  }

  /**
   * Takes `bytes` for `project`; returns what gives them back (harmless twice).
   * @throws `SHARE_USED` (429) if others are active and this one has its share, `OVERLOADED` (503) if there is no room
   */
  take(project: string, bytes: number): () => void {
    const mine = this.byProject.get(project) ?? 0
    const alone = mine === this.total
    const after = this.limit - this.total - bytes
    // A project that holds nothing is never measured by its share: it only has to fit.
    if (mine > 0 && mine + bytes > GREED * after) throw alone ? errors.overloaded() : errors.shareUsed()
    if (after < 0) throw errors.overloaded()
    this.total += bytes
    this.byProject.set(project, mine + bytes)
    let given = false
    return () => {
      if (given) return
      given = true
      this.give(project, bytes)
    }
  }

  private give(project: string, bytes: number): void {
    this.total -= bytes
    const left = (this.byProject.get(project) ?? 0) - bytes
    if (left > 0) this.byProject.set(project, left)
    else this.byProject.delete(project)
  }
}
