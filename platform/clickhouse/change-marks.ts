/**
 * Tells whether tables were written: those who look every second share one statement every few seconds, for an engine plans
 * each for milliseconds, whatever it reads.
 */
import { bind, type Sql, sql } from './sql.js'
import type { Store } from './store.js'

/** How long a mark is good for. */
const GOOD_MS = 3_000
/** What nobody asked about for this long is not read any more. */
const UNASKED_MS = 10_000
const TIMEOUT_MS = 3_000

/** The mark of a table whose every write makes a row or a newer `ver`. */
export const WRITTEN = sql`concat(toString(count()), ' ', toString(max(ver)))`

interface Watched {
  select: Sql
  /** performance.now() */
  askedAt: number
  /** performance.now() before it was read */
  readAt: number
  mark: string
}

export class ChangeMarks {
  private readonly watched = new Map<string, Watched>()
  private reading: Promise<void> | undefined

  /** @param store with connections of its own, if marks matter while everything else waits */
  constructor(private readonly store: Store) {}

  /**
   * A text that differs when something was written, and at most three seconds later.
   * @param name of what is asked; it may be asked in other words each time
   * @param mark an expression, a String
   * @param from what follows FROM: few bytes to read
   * @throws what the store throws
   */
  async of(name: string, mark: Sql, from: Sql): Promise<string> {
    const now = performance.now()
    const select = sql`SELECT ${bind.string(name)} AS name, ${mark} AS mark FROM ${from}`
    const one = this.watched.get(name) ?? { select, askedAt: now, readAt: Number.NEGATIVE_INFINITY, mark: '' }
    this.watched.set(name, Object.assign(one, { select, askedAt: now }))
    const isGood = () => now - one.readAt < GOOD_MS
    if (isGood()) return one.mark
    // What fails may be another's table.
    await this.readAll().catch(() => undefined)
    if (!isGood()) await this.read([one])
    return one.mark
  }

  private readAll(): Promise<void> {
    const now = performance.now()
    for (const [name, { askedAt }] of this.watched) if (now - askedAt > UNASKED_MS) this.watched.delete(name)
    this.reading ??= this.read([...this.watched.values()]).finally(() => {
      this.reading = undefined
    })
    return this.reading
  }

  private async read(some: readonly Watched[]): Promise<void> {
    const readAt = performance.now()
    const statement = some.map(({ select }) => select).reduce((one, other) => sql`${one} UNION ALL ${other}`)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const rows = await this.store.rows<{ name: string; mark: string }>(statement, { signal })
    for (const { name, mark } of rows) {
      const one = this.watched.get(name)
      if (one) Object.assign(one, { mark, readAt })
    }
  }
}
