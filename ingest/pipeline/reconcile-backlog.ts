/**
 * Calls whose second step failed, or whose rows may be stored although nobody was told so: until they are settled they
 * may be there twice. Remembers them, up to a limit. Knows nothing of how they are settled.
 */
import type { CallChange } from '../merge/call-change.js'

/** What is beyond this is found at the next start. */
const LIMIT = 50_000

export class ReconcileBacklog {
  private fresh: CallChange[] = []
  private seen: CallChange[] = []

  /** Calls that wait to be settled for the first time. */
  get waiting(): number {
    return this.fresh.length
  }

  add(touches: readonly CallChange[]): void {
    // Which version is the newest is for the store to say: that of the touch may not be there.
    for (const { mustPair: _, ...touch } of touches)
      if (this.fresh.length < LIMIT) this.fresh.push({ ...touch, ver: 0 })
  }

  /**
   * What is to be settled now. @param again also what was taken once before: a write that was given up may have come
   * through since
   */
  take(again: boolean): CallChange[] {
    const before = again ? this.seen : []
    if (again) this.seen = []
    const now = this.fresh
    this.fresh = []
    this.seen = [...this.seen, ...now].slice(0, LIMIT)
    return [...now, ...before]
  }
}
