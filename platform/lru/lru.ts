/** A least-recently-used cache with a weight limit. Knows nothing of its values. */

export class Lru<V> {
  private readonly entries = new Map<string, V>()
  private weight = 0
  /** the most recent key; using it again needs no move */
  private newest: string | undefined

  /** @param limit total weight; values heavier than a sixteenth of it are not kept */
  constructor(
    private readonly limit: number,
    private readonly weigh: (value: V, key: string) => number = () => 1,
  ) {}

  get(key: string): V | undefined {
    const value = this.entries.get(key)
    if (value === undefined || key === this.newest) return value
    this.entries.delete(key)
    this.entries.set(key, value)
    this.newest = key
    return value
  }

  set(key: string, value: V): void {
    this.delete(key)
    const weight = this.weigh(value, key)
    if (weight > Math.max(1, this.limit / 16)) return
    this.entries.set(key, value)
    this.newest = key
    this.weight += weight
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.limit) break
      this.delete(oldest)
    }
  }

  has(key: string): boolean {
    return this.entries.has(key)
  }

  delete(key: string): void {
    const value = this.entries.get(key)
    if (value === undefined) return
    this.entries.delete(key)
    this.weight -= this.weigh(value, key)
  }
}
