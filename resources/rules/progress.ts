/** What is kept of rules beside their runs: how far a project was looked at, and what each rule matched. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nextVersion } from '../../platform/time/versions.js'

export interface RuleProgress {
  /** internal */
  projectId: string
  /** name of the rule; empty: the project's own row, which says how far it was looked at */
  rule: string
  /** µs since the epoch */
  reached: number
  /** YYYY-MM-DD, UTC: of `today` and `skipped` */
  day: string
  today: number
  skipped: number
  /** of all days */
  matched: number
}

interface Row extends Record<Exclude<keyof RuleProgress, 'projectId'>, string> {
  project_id: string
}

/** @param projectId default: of all projects */
export async function progressOf(store: Store, projectId?: string): Promise<RuleProgress[]> {
  const here = projectId === undefined ? sql`` : sql`WHERE project_id = ${bind.string(projectId)}`
  const rows = await store.rows<Row>(sql`SELECT project_id, rule, toString(reached) AS reached,
    toString(day) AS day, toString(today) AS today, toString(skipped) AS skipped, toString(matched) AS matched
    FROM (SELECT * FROM rule_progress FINAL) AS kept ${here}`)
  return rows.map(({ project_id: projectId, rule, day, ...counts }) => ({
    ...{ projectId, rule, day, reached: Number(counts.reached), today: Number(counts.today) },
    ...{ skipped: Number(counts.skipped), matched: Number(counts.matched) },
  }))
}

export async function keepProgress(store: Store, progress: readonly RuleProgress[]): Promise<void> {
  const ver = String(nextVersion())
  await store.insertRows(
    'rule_progress',
    progress.map(({ projectId, reached, ...one }) => ({
      ...{ ...one, project_id: projectId, reached: String(reached), ver },
    })),
  )
}
