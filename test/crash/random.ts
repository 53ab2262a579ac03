/** A seeded stream of chances, so that a failing run can be run again. */

export class Random {
  private state: number

  constructor(seed: number) {
    this.state = (seed * 2654435761) >>> 0 || 1
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** An integer in [from, to]. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  /** One of the items. */
  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)]!
  }
}
