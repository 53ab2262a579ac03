/** Counters by name; a counter at 0 takes no memory. */
export class Counts {
  private readonly byName = new Map<string, number>()

  of(name: string): number {
    return this.byName.get(name) ?? 0
  }

  /** Adds `count` to each of `names`; drops those that reach 0. */
  add(names: readonly string[], count: number): void {
    for (const name of names) {
      const sum = this.of(name) + count
      if (sum > 0) this.byName.set(name, sum)
      else this.byName.delete(name)
    }
  }

  clear(): void {
    this.byName.clear()
  }
}
