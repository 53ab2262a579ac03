/** Whether the store can be written to and read from, found out by doing it. */
import { randomUUID } from 'node:crypto'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { nextVersion } from '../../platform/time/versions.js'

/** An answer is good for this long, so that asking often is no load. */
const GOOD_FOR_MS = 1000
const LIMITS = { seconds: 5 }

export class Health {
  private readonly process = randomUUID()
  private under: Promise<void> | undefined
  private doneAt = Number.NEGATIVE_INFINITY

  /** @param now ms on any clock that only goes forward */
  constructor(
    private readonly store: Store,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Resolves if a row was written and read back within the last second; one check runs at a time. */
  check(): Promise<void> {
    if (this.under === undefined || this.now() - this.doneAt >= GOOD_FOR_MS) {
      this.doneAt = Number.POSITIVE_INFINITY
      this.under = this.probe().finally(() => {
        this.doneAt = this.now()
      })
    }
    return this.under
  }

  private async probe(): Promise<void> {
    const nonce = randomUUID()
    const row = { process: this.process, nonce, at: Math.floor(Date.now() / 1000), ver: nextVersion() }
    const options = { limits: LIMITS, signal: AbortSignal.timeout(LIMITS.seconds * 1000) }
    await this.store.insert('health', 'JSONEachRow', [Buffer.from(JSON.stringify(row))], options)
    const back = await this.store.row(
      sql`SELECT 1 FROM health WHERE process = ${bind.string(this.process)} AND nonce = ${bind.string(nonce)}`,
      options,
    )
    if (!back) throw errors.unavailable(new Error('the row that was written is not there'))
  }
}
