/** How many of something each name uses, now and on average over the last second. */

/** The time over which what was used counts, in ms: a page that asks ten short questions at once stays far below one. */
const LATELY_MS = 1000
/** Names that used nothing for so long are forgotten. */
const FORGET_MS = 10 * LATELY_MS

interface Use {
  count: number
  average: number
  /** when both were reckoned, as `performance.now()` */
  at: number
}

export class RecentUse {
  /** the one that changed last is last */
  private readonly byName = new Map<string, Use>()

  /** What `name` uses now. */
  of(name: string): number {
    return this.byName.get(name)?.count ?? 0
  }

  /** What `name` has used on average of late, each moment weighing less the longer ago it is. */
  average(name: string): number {
    const use = this.byName.get(name)
    return use ? averageOf(use, performance.now()) : 0
  }

  /** Says that `name` uses `count` more. */
  add(name: string, count: number): void {
    const now = performance.now()
    const use = this.byName.get(name) ?? { count: 0, average: 0, at: now }
    this.byName.delete(name)
    this.byName.set(name, { count: use.count + count, average: averageOf(use, now), at: now })
    for (const [oldest, { count: used, at }] of this.byName) {
      if (used > 0 || now - at < FORGET_MS) break
      this.byName.delete(oldest)
    }
  }
}

function averageOf({ count, average, at }: Use, now: number): number {
  return count + (average - count) * Math.exp((at - now) / LATELY_MS)
}
