/**
 * Which processes write calls to this store: each reports every few seconds, and the one whose name sorts first does the
 * work that one must do for all.
 */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { uuid7 } from '../../platform/ids/uuid7.js'

/** A writer that has not said so for this long is gone. */
const GONE_SECONDS = 60

const PREFIX = 'ingest '
const HERE = 'here'
const LEFT = 'left'

export class WriterElection {
  private readonly name = PREFIX + uuid7()

  constructor(private readonly store: Store) {}

  /** Says that this process is there. @returns `alone`, or, among several, `first` or `another` */
  async meet(): Promise<'alone' | 'first' | 'another'> {
    await this.say(HERE)
    const there = await this.store.rows<{ process: string }>(sql`
      SELECT process FROM health
      WHERE startsWith(process, ${bind.string(PREFIX)}) AND abs(dateDiff('second', at, now())) < ${bind.uint(GONE_SECONDS)}
      GROUP BY process HAVING argMax(nonce, ver) = ${bind.string(HERE)} ORDER BY process`)
    if (there.length < 2) return 'alone'
    return there[0]?.process === this.name ? 'first' : 'another'
  }

  /** Says that this process is no longer there. */
  async leave(): Promise<void> {
    await this.say(LEFT)
  }

  /** Everyone's times are the store's, so that clocks may differ. */
  private async say(what: string): Promise<void> {
    await this.store.run(sql`
      INSERT INTO health (process, nonce, at, ver)
      SELECT ${bind.string(this.name)}, ${bind.string(what)}, now(), toUnixTimestamp64Micro(now64(6))`)
  }
}
