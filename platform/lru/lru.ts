/** Remembers what was used last, up to a weight. Knows nothing of what it holds. */

export class Lru<V> {
  private readonly entries = new Map<string, V>()
  private weight = 0
  /** the key used last, which need not move when it is used again */
  private newest: string | undefined

  /** @param limit of all weights together; heavier values than a sixteenth of it are not kept */
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
