/** The part of a project's feedback that statistics cover. Pure. */

import { canonicalType } from '../../domain/feedback/kinds.js'
import { allOf, bind, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'

export interface Window {
  project_id: string
  /** µs since the epoch; the end is exclusive */
  start: number
  end: number
  feedback_type: string | null
  trigger_ref: string | null
}

const ANY_VERSION = ':*'

/** FROM and WHERE. */
export function within({ project_id, start, end, feedback_type, trigger_ref }: Window): Sql {
  const conditions = [
    sql`project_id = ${bind.string(projectIdOf(project_id))}`,
    sql`deleted = 0`,
    sql`created_at >= ${time(start)}`,
    sql`created_at < ${time(end)}`,
  ]
  if (feedback_type !== null)
    conditions.push(sql`canonical_type = ${bind.string(canonicalType(feedback_type))}`)
  if (trigger_ref !== null)
    conditions.push(
      trigger_ref.endsWith(ANY_VERSION)
        ? sql`startsWith(trigger_ref, ${bind.string(trigger_ref.slice(0, -1))})`
        : sql`trigger_ref = ${bind.string(trigger_ref)}`,
    )
  return sql`FROM feedback FINAL WHERE ${allOf(conditions)}`
}

/** Clamps to the epoch: there is no feedback before it, and a parameter can't hold earlier times. */
function time(micros: number): Sql {
  return instant(Math.min(Math.max(micros, 0), LAST))
}
const LAST = 9e15
