/** Versions of rows: µs since the epoch, each given once and each larger than the one before, whatever the clock does. */

export class VersionClock {
  private last = 0

  /** @param now µs since the epoch */
  constructor(private readonly now: () => number = () => Date.now() * 1000) {}

  /** The first of `count` consecutive versions. */
  reserve(count: number): number {
    const first = Math.max(this.now(), this.last + 1)
    this.last = first + Math.max(count, 1) - 1
    return first
  }

  /** Makes every later version larger than `version`, which the store already holds. */
  startAbove(version: number): void {
    this.last = Math.max(this.last, version)
  }
}
