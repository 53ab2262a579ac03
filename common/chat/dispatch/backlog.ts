/** How many requests of this process wait for a worker, by model, and how fast workers take them. Pure counting. */

/** The newest takings count for more; the oldest still seen are so many seconds away. */
const MEMORY_MS = 10_000

export class Backlog {
  private readonly byModel = new Map<string, number>()
  private readonly takings = new Map<string, number[]>()

  /** @param now ms */
  constructor(private readonly now: () => number = performance.now.bind(performance)) {}

  queued(model: string): void {
    this.byModel.set(model, this.waiting(model) + 1)
  }

  taken(model: string): void {
    this.byModel.set(model, Math.max(0, this.waiting(model) - 1))
    const times = this.recent(model)
    times.push(this.now())
    this.takings.set(model, times)
  }

  waiting(model: string): number {
    return this.byModel.get(model) ?? 0
  }

  /** Seconds until a line of `length` is through, 1 to 30. */
  secondsFor(model: string, length: number): number {
    const rate = this.recent(model).length / (MEMORY_MS / 1000)
    return Math.min(30, Math.max(1, Math.ceil(rate > 0 ? length / rate : 5)))
  }

  clear(): void {
    this.byModel.clear()
  }

  private recent(model: string): number[] {
    const since = this.now() - MEMORY_MS
    const times = this.takings.get(model) ?? []
    const first = times.findIndex((time) => time >= since)
    return first < 0 ? [] : times.slice(first)
  }
}
