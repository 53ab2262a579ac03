/** What is kept of monitoring: how far it came in a project, what each monitor matched, and backfills. */
import type { BACKFILL_STATES } from '../../contract/monitors.js'
import type { ChangeMarks } from '../../platform/clickhouse/change-marks.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'

export interface Progress {
  projectId: string
  /** name of its object; empty: the project's own row, which says how far it was looked at */
  monitor: string
  /** µs since the epoch */
  reached: number
  /** YYYY-MM-DD, UTC */
  day: string
  matched: number
  queued: number
  skipped: number
  problem: string
}

/** @param projectId default: of all projects */
export function progressOf(store: Store, projectId?: string): Promise<Progress[]> {
  const here = projectId === undefined ? sql`` : sql`WHERE project_id = ${bind.string(projectId)}`
  return store.rows<Progress>(sql`SELECT project_id AS projectId, monitor, reached, day, matched, queued, skipped, problem
    FROM monitor_progress FINAL ${here}`)
}

export async function keepProgress(store: Store, progress: readonly Progress[]): Promise<void> {
  const ver = String(nextVersion())
  await store.insertRows(
    'monitor_progress',
    progress.map(({ projectId, reached, ...one }) => ({
      ...{ ...one, project_id: projectId, reached: String(reached), ver },
    })),
  )
}

/** Scores for calls of the past, the newest first. */
export interface Backfill {
  projectId: string
  monitor: string
  state: (typeof BACKFILL_STATES)[number]
  /** µs since the epoch */
  since: number
  until: number
  /** calls from there on were looked at */
  at: { started: number; id: string }
  matched: number
  userId: string
}

/** The backfill of each monitor. @param projectId default: those that are running, of all projects */
export function backfillsOf(store: Store, projectId?: string): Promise<Backfill[]> {
  const those = projectId === undefined ? sql`state = 'running'` : sql`project_id = ${bind.string(projectId)}`
  return store.rows<Backfill>(sql`SELECT project_id AS projectId, monitor, state, toUnixTimestamp64Micro(kept.since) AS since,
      toUnixTimestamp64Micro(kept.until) AS until,
      CAST((toUnixTimestamp64Micro(at_time), at_id), 'Tuple(started Int64, id String)') AS at, matched, user_id AS userId
    FROM (SELECT * FROM monitor_backfills FINAL) AS kept WHERE ${those}`)
}

/** Whether one is running in any project, or was a few seconds ago. */
export async function hasBackfills(marks: ChangeMarks): Promise<boolean> {
  const from = sql`monitor_backfills FINAL WHERE state = 'running'`
  return (await marks.of('backfills', sql`toString(count())`, from)) !== '0'
}

export async function keepBackfill(store: Store, backfill: Backfill): Promise<void> {
  const { projectId, since, until, at, userId, monitor, state, matched } = backfill
  await store.insertRows('monitor_backfills', [
    {
      ...{ project_id: projectId, monitor, state, matched, user_id: userId },
      ...{
        since: isoOfMicros(since),
        until: isoOfMicros(until),
        at_time: isoOfMicros(at.started),
        at_id: at.id,
      },
      ver: String(nextVersion()),
    },
  ])
}
