/** The mean of the last minute's measurements. Pure but for the clock. */

const MEMORY_MS = 60_000
const MOST = 2_000

export class RollingMean {
  private values: { at: number; value: number }[] = []

  /** @param now ms */
  constructor(private readonly now: () => number = performance.now.bind(performance)) {}

  add(value: number): void {
    this.values.push({ at: this.now(), value })
    if (this.values.length > MOST) this.values = this.values.slice(MOST / 2)
  }

  /** @returns undefined if there are no measurements */
  mean(): number | undefined {
    const since = this.now() - MEMORY_MS
    this.values = this.values.filter(({ at }) => at >= since)
    if (this.values.length === 0) return undefined
    return this.values.reduce((sum, { value }) => sum + value, 0) / this.values.length
  }
}
