/** What is kept of monitoring: how far it came in a project, what each monitor matched, and backfills. */
import type { BACKFILL_STATES } from '../../contract/monitors.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'

export interface Progress {
  /** internal id */
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

interface Row extends Record<Exclude<keyof Progress, 'projectId'>, string> {
  project_id: string
}

/** @param projectId default: of all projects */
export async function progressOf(store: Store, projectId?: string): Promise<Progress[]> {
  const here = projectId === undefined ? sql`` : sql`WHERE project_id = ${bind.string(projectId)}`
  const rows =
    await store.rows<Row>(sql`SELECT project_id, monitor, toString(reached) AS reached, toString(day) AS day,
    toString(matched) AS matched, toString(queued) AS queued, toString(skipped) AS skipped, problem
    FROM monitor_progress FINAL ${here}`)
  return rows.map(({ project_id, monitor, day, problem, ...counts }) => ({
    ...{ projectId: project_id, monitor, day, problem, reached: Number(counts.reached) },
    ...{ matched: Number(counts.matched), queued: Number(counts.queued), skipped: Number(counts.skipped) },
  }))
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

interface BackfillRow {
  project_id: string
  monitor: string
  state: Backfill['state']
  since: string
  until: string
  at_time: string
  at_id: string
  matched: string
  user_id: string
}

/** The backfill of each monitor. @param projectId default: those that are running, of all projects */
export async function backfillsOf(store: Store, projectId?: string): Promise<Backfill[]> {
  const those = projectId === undefined ? sql`state = 'running'` : sql`project_id = ${bind.string(projectId)}`
  const rows = await store.rows<BackfillRow>(sql`SELECT project_id, monitor, toString(state) AS state,
    toString(toUnixTimestamp64Micro(since)) AS since, toString(toUnixTimestamp64Micro(until)) AS until,
    toString(toUnixTimestamp64Micro(at_time)) AS at_time, at_id, toString(matched) AS matched, user_id
    FROM (SELECT * FROM monitor_backfills FINAL) AS kept WHERE ${those}`)
  return rows.map((row) => ({
    ...{ projectId: row.project_id, monitor: row.monitor, state: row.state, userId: row.user_id },
    ...{ since: Number(row.since), until: Number(row.until), matched: Number(row.matched) },
    at: { started: Number(row.at_time), id: row.at_id },
  }))
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
