/** Numbers by name; a name without one counts as 0 and takes no memory. */
export class Counts {
  private readonly byName = new Map<string, number>()

  of(name: string): number {
    return this.byName.get(name) ?? 0
  }

  /** Adds `count` to each of `names`, and forgets those that come to 0. */
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
