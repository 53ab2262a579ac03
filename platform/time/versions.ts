/** Versions of rows: of two rows with one key the one with the larger `ver` stays, whatever the clocks say. */

/** Gives each version once and each larger than the one before, near µs since the epoch. */
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

/** This process's: what it stores is above all that it found when it started. */
export const versions = new VersionClock()

/** The `ver` of what is stored next. A time that people read is `nowMicros` instead: this may be ahead of every clock. */
export const nextVersion = (): number => versions.reserve(1)
