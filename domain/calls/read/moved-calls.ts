/**
 * Tracks calls that move while a list of several statements runs. Such a call keeps its place from when the list began:
 * its row is shown when the list passes there, and nowhere else. See docs/adr/0004.
 */
import type { Sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Direction } from '../../expr/order.js'
import { moves } from '../moved.js'
import type { Found, Key } from './page.js'

/** Records become visible within this time, in seconds. */
const LATE = 120
/** Most moved calls per list, about 40 MB. Beyond it the list fails rather than be wrong. */
const MOST = 200_000

/** A range of places in a list, in its order. */
export interface PlaceRange {
  /** after this place; undefined: from `from`, or from the start */
  after?: Key | undefined
  from?: Key | undefined
  /** undefined: to the end */
  to?: Key | undefined
}

/** The place of a call, from one of its rows. */
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
  /** up to which version a call's rows had been replaced when the list began */
  private readonly replaced = new Map<string, number>()
  private lookedAt = performance.now()

  /** @param found runs a statement with the rows of {@link moves} */
  constructor(
    private readonly projectId: string,
    private readonly direction: Direction,
    private readonly found: (statement: Sql) => Promise<AsyncIterable<Found[]>>,
  ) {}

  /** True if no call has moved. */
  get isEmpty(): boolean {
    return this.calls.size === 0
  }

  has(id: string): boolean {
    return this.calls.has(id)
  }

  /** Records what has already moved. Await it before reading the first row. */
  async begin(): Promise<void> {
    for (const [id, rows] of await this.rows()) {
      const newest = rows.map(({ ver, isGone }) => (isGone ? ver : ver - 1))
      this.replaced.set(id, Math.max(...newest))
    }
  }

  /**
   * Finds calls that have moved since. Run after a statement has returned its first row, it covers every call that the
   * statement may have seen at another place than before.
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

  /** Rows by call id: those removed since the last look, and a little before. */
  private async rows(): Promise<Map<string, Place[]>> {
    const now = performance.now()
    const seconds = (now - this.lookedAt) / 1000 + LATE
    const rows = new Map<string, Place[]>()
    // The field `width` holds the version in these rows.
    for await (const found of await this.found(moves(this.projectId, seconds)))
      for (const { id, started, width: ver, isRunning: isGone } of found) {
        const some = rows.get(id)
        if (some) some.push({ started, ver, isGone })
        else rows.set(id, [{ started, ver, isGone }])
        if (rows.size + this.calls.size > MOST)
          throw errors.limitHit(`${MOST} calls whose start changes while they are listed`)
      }
    this.lookedAt = now
    return rows
  }

  /** True if this call's row belongs to `range`; marks it as shown. */
  takes(id: string, range: PlaceRange): boolean {
    const moved = this.calls.get(id)
    if (moved === undefined) return true
    if (moved.isShown || !this.isIn(moved, range)) return false
    moved.isShown = true
    return true
  }

  /** Ids of the calls that belong to `range` and were not seen there; marks them as shown. */
  missing(range: PlaceRange): string[] {
    const ids: string[] = []
    for (const moved of this.calls.values())
      if (!moved.isShown && this.isIn(moved, range)) {
        moved.isShown = true
        ids.push(moved.id)
      }
    return ids
  }

  private isIn(key: Key, { after, from, to }: PlaceRange): boolean {
    if (after && this.compare(key, after) <= 0) return false
    if (from && this.compare(key, from) < 0) return false
    return !to || this.compare(key, to) <= 0
  }

  /** Compares ids by bytes, like the store. */
  private compare(a: Key, b: Key): number {
    const order = a.started - b.started || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
    return this.direction === 'desc' ? -order : order
  }
}
