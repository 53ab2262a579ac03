/**
 * What a list of several statements knows of calls that change their place while it runs. The place of such a call is the
 * one that it had when the list began: its row is shown when the list passes there, and nowhere else. Knows nothing of
 * lines; see docs/adr/0004.
 */
import type { Sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Direction } from '../../expr/order.js'
import { moves } from '../moved.js'
import type { Found, Key } from './page.js'

/** What was noted takes no longer than this to be seen, in seconds. */
const LATE = 120
/** Moved calls that one list remembers, about 40 MB. Past that it breaks off, rather than to be wrong. */
const MOST = 200_000

/** Places of a list, in its order. */
export interface Stretch {
  /** behind this one; undefined: from `from` on, or from the beginning */
  after?: Key | undefined
  from?: Key | undefined
  /** undefined: to the end */
  to?: Key | undefined
}

/** What a row says of its call's place. */
interface Place {
  started: number
  ver: number
  isGone: boolean
}

interface Moved extends Key {
  /** its row has been shown */
  isShown: boolean
}

export class MovedCalls {
  private readonly calls = new Map<string, Moved>()
  /** up to which version rows of a call had been replaced when the list began */
  private readonly replaced = new Map<string, number>()
  private lookedAt = performance.now()

  /** @param found runs a statement whose rows are those of {@link moves} */
  constructor(
    private readonly projectId: string,
    private readonly direction: Direction,
    private readonly found: (statement: Sql) => Promise<AsyncIterable<Found[]>>,
  ) {}

  /** No call has moved. */
  get isEmpty(): boolean {
    return this.calls.size === 0
  }

  has(id: string): boolean {
    return this.calls.has(id)
  }

  /** Takes note of what has moved already. To be awaited before the first row is read. */
  async begin(): Promise<void> {
    for (const [id, rows] of await this.rows()) {
      const newest = rows.map(({ ver, isGone }) => (isGone ? ver : ver - 1))
      this.replaced.set(id, Math.max(...newest))
    }
  }

  /**
   * Looks which calls have moved since. After a statement has read its first row, this tells of every call that it may
   * have met at another place than before.
   */
  async look(): Promise<void> {
    for (const [id, all] of await this.rows()) {
      if (this.calls.has(id)) continue
      const rows = all.filter(({ ver }) => ver > (this.replaced.get(id) ?? 0))
      if (!rows.some(({ isGone, started }) => isGone || started !== rows[0]!.started)) continue
      const { started } = rows.reduce((first, row) => (row.ver < first.ver ? row : first))
      this.calls.set(id, { id, started, isShown: false })
    }
  }

  /** Rows by the ids of their calls: those that have gone since the last time, and a little longer. */
  private async rows(): Promise<Map<string, Place[]>> {
    const now = performance.now()
    const seconds = (now - this.lookedAt) / 1000 + LATE
    const rows = new Map<string, Place[]>()
    // What is the width of other rows is the version of these.
    for await (const found of await this.found(moves(this.projectId, seconds)))
      for (const { id, started, width: ver, isRunning: isGone } of found) {
        const some = rows.get(id)
        if (some) some.push({ started, ver, isGone })
        else rows.set(id, [{ started, ver, isGone }])
        if (rows.size + this.calls.size > MOST)
          throw errors.limitHit(`${MOST} calls whose start is changed while they are listed`)
      }
    this.lookedAt = now
    return rows
  }

  /** Whether the row of this call is to be shown among those of `stretch`; then it was. */
  takes(id: string, stretch: Stretch): boolean {
    const moved = this.calls.get(id)
    if (moved === undefined) return true
    if (moved.isShown || !this.isIn(moved, stretch)) return false
    moved.isShown = true
    return true
  }

  /** Ids of the calls that belong to `stretch` and were not met there; then they were. */
  missing(stretch: Stretch): string[] {
    const ids: string[] = []
    for (const moved of this.calls.values())
      if (!moved.isShown && this.isIn(moved, stretch)) {
        moved.isShown = true
        ids.push(moved.id)
      }
    return ids
  }

  private isIn(key: Key, { after, from, to }: Stretch): boolean {
    if (after && this.compare(key, after) <= 0) return false
    if (from && this.compare(key, from) < 0) return false
    return !to || this.compare(key, to) <= 0
  }

  /** Texts as the store compares them: by their bytes. */
  private compare(a: Key, b: Key): number {
    const order = a.started - b.started || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
    return this.direction === 'desc' ? -order : order
  }
}
