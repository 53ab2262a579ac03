/** A least-recently-used cache with a weight limit. */

export class Lru<V> {
  private readonly entries = new Map<string, V>()
  private weight = 0
  /** the most recent key; using it again needs no move */
  private newest: string | undefined

  /**
   * @param limit total weight
   * @param largest weight of the heaviest value that is kept: a sixteenth of the total, so that one doesn't evict all
   */
  constructor(
    private readonly limit: number,
    private readonly weigh: (value: V, key: string) => number = () => 1,
    private readonly largest = Math.max(1, limit / 16),
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
    if (weight > this.largest) return
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
