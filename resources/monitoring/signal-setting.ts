/** Which of the signals that run by themselves a project has switched off. */
import { SIGNALS } from '../../contract/monitors.js'
import type { Signal } from '../../domain/evaluation/scoring/signals.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nextVersion } from '../../platform/time/versions.js'

/** By `entity/project`; of projects that switched none off there is no entry. @param project default: all */
export async function signalsOff(store: Store, project?: string): Promise<Map<string, Signal[]>> {
  const here = project === undefined ? sql`` : sql`WHERE project = ${bind.string(project)}`
  const rows = await store.rows<{ project: string; off: string[] }>(
    sql`SELECT project, off FROM project_signals FINAL ${here}`,
  )
  return new Map(rows.map((row) => [row.project, SIGNALS.filter((signal) => row.off.includes(signal))]))
}

/** Resolves when it is stored; what watches calls knows within seconds. */
export function setSignalsOff(store: Store, project: string, off: readonly Signal[]): Promise<void> {
  return store.insertRows('project_signals', [
    { project, off: [...new Set(off)], ver: String(nextVersion()) },
  ])
}
