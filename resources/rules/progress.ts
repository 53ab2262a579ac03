/** What is kept of rules beside their runs: how far a project was looked at, and what each rule matched. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nextVersion } from '../../platform/time/versions.js'

export interface RuleProgress {
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

/** @param projectId default: of all projects */
export function progressOf(store: Store, projectId?: string): Promise<RuleProgress[]> {
  const here = projectId === undefined ? sql`` : sql`WHERE project_id = ${bind.string(projectId)}`
  return store.rows<RuleProgress>(sql`SELECT project_id AS projectId, rule, reached, day, today, skipped, matched
    FROM (SELECT * FROM rule_progress FINAL) AS kept ${here}`)
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
