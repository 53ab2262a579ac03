/**
 * Calls whose second step failed, or whose rows may be stored although nobody got an answer: until they are reconciled they
 * may be there twice. Remembers them, up to a limit.
 */
import type { CallChange } from '../merge/call-change.js'

/** Calls beyond this are found at the next start. */
const LIMIT = 50_000

export class ReconcileBacklog {
  private fresh: CallChange[] = []
  private seen: CallChange[] = []

  /** Calls that wait to be reconciled for the first time. */
  get waiting(): number {
    return this.fresh.length
  }

  add(changes: readonly CallChange[]): void {
    // The store says which version is the newest: the change's own may not be stored.
    for (const { mustPair: _, ...change } of changes)
      if (this.fresh.length < LIMIT) this.fresh.push({ ...change, ver: 0 })
  }

  /**
   * What is to be reconciled now. @param again also what was taken once before: a write that was given up may have come
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
