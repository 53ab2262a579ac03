import { AlertDefinition } from '../../contract/alerts.js'
import { type ChangeMarks, WRITTEN } from '../../platform/clickhouse/change-marks.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'

export interface Alert {
  projectId: string
  name: string
  definition: AlertDefinition
  /** µs since the epoch */
  mutedUntil: number
  userId: string
  ver: string
}

type Row = Omit<Alert, 'definition'> & { definition: string }

/** By name. @param projectId default: of all projects */
export async function alertsOf(store: Store, projectId?: string): Promise<Alert[]> {
  const those = projectId === undefined ? sql`` : sql` AND project_id = ${bind.string(projectId)}`
  const rows = await store.rows<Row>(sql`SELECT project_id AS projectId, name, definition, user_id AS userId,
    toUnixTimestamp64Micro(muted_until) AS mutedUntil, toString(ver) AS ver
    FROM alerts FINAL WHERE deleted = 0${those} ORDER BY project_id, name`)
  // Fields that were added since have their defaults.
  return rows.map((row) => ({ ...row, definition: AlertDefinition.parse(JSON.parse(row.definition)) }))
}

export async function keepAlert(store: Store, alert: Omit<Alert, 'ver'>, isDeleted = false): Promise<void> {
  const { projectId, name, definition, mutedUntil, userId } = alert
  await store.insertRows('alerts', [
    {
      ...{ project_id: projectId, name, definition: JSON.stringify(definition), user_id: userId },
      ...{ muted_until: isoOfMicros(mutedUntil), deleted: isDeleted ? 1 : 0, ver: String(nextVersion()) },
    },
  ])
}

/** A text that differs whenever an alert was written. */
export function alertsMark(marks: ChangeMarks): Promise<string> {
  return marks.of('alerts', WRITTEN, sql`alerts`)
}
