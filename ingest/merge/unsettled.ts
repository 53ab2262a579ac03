/** What this process has announced to readers, until they need not know any more. */
import { BY_PATCH } from '../../domain/calls/patch.js'
import { announce, type ExpectedRow } from '../../domain/calls/unsettled.js'
import { pieces } from '../../platform/clickhouse/pieces.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { ROWS, weightOf } from './stored.js'

/** A statement may have looked at the calls this long before it looks at what is unsettled. */
const GRACE_MS = 10_000

export class Unsettled {
  /** those released, with the time from which on nobody needs them (ms, as `performance.now()`), soonest first */
  private readonly released: { until: number; rows: readonly ExpectedRow[] }[] = []

  constructor(private readonly store: Store) {}

  /** Resolves when readers know that `rows` may come. */
  async announce(rows: readonly ExpectedRow[]): Promise<void> {
    for (const some of pieces(rows, 10_000)) await announce(this.store, some)
  }

  /** Says that the calls of `rows` are there once. */
  release(rows: readonly ExpectedRow[]): void {
    if (rows.length > 0) this.released.push({ until: performance.now() + GRACE_MS, rows })
  }

  /** Takes away what was released a while ago. */
  async forget(): Promise<void> {
    const now = performance.now()
    const due = this.released.findIndex(({ until }) => until > now)
    const over = this.released.slice(0, due < 0 ? undefined : due)
    for (const some of pieces(
      over.flatMap(({ rows }) => rows),
      ROWS,
      weightOf,
    ))
      await this.store.run(
        sql`DELETE FROM ${this.store.mutable('calls_unsettled')} WHERE ${theseRows(some)}`,
        { settings: BY_PATCH },
      )
    this.released.splice(0, over.length)
  }

  /** Takes away what anybody announced before `moment`, seconds since the epoch by the store's clock. */
  async forgetBefore(moment: number): Promise<void> {
    const old = sql`at <= toDateTime(${bind.uint(moment)})`
    const [row] = await this.store.rows(sql`SELECT 1 FROM calls_unsettled WHERE ${old} LIMIT 1`)
    if (row === undefined) return
    await this.store.run(sql`DELETE FROM ${this.store.mutable('calls_unsettled')} WHERE ${old}`, {
      settings: BY_PATCH,
    })
  }
}

function theseRows(rows: readonly ExpectedRow[]): Sql {
  const projects = [...new Set(rows.map(({ projectId }) => projectId))]
  const versions = bind.tuples(
    ['String', 'String', 'UInt64'],
    rows.map(({ projectId, id, ver }) => [projectId, id, ver]),
  )
  return sql`project_id IN ${bind.strings(projects)} AND (project_id, id, ver) IN ${versions}`
}
