/** Log lines of a job by workers and nodes, for people. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nowMicros } from '../../platform/time/iso.js'
import type { JobKey } from './jobs.js'

export type Level = 'info' | 'warn' | 'error'

export interface LogRow {
  /** µs since 1970; unique within the job */
  at: number
  attempt: number
  level: Level
  message: string
}

/** Adds a line. */
export async function addLog(
  store: Store,
  { project_id, id }: JobKey,
  attempt: number,
  level: Level,
  message: string,
): Promise<void> {
  await store.insertRows('training_logs', [
    { project_id, job_id: id, at: nowMicros(), attempt, level, message: message.slice(0, 4000) },
  ])
}

/** The lines after `after` (µs since 1970), oldest first. */
export function logsAfter(store: Store, key: JobKey, after: number, limit: number): Promise<LogRow[]> {
  return store.rows<LogRow>(
    sql`SELECT toUnixTimestamp64Micro(l.at) AS at, attempt, level, message FROM training_logs AS l
        WHERE project_id = ${bind.string(key.project_id)} AND job_id = ${bind.string(key.id)}
          AND l.at > fromUnixTimestamp64Micro(${bind.int(after)}) ORDER BY l.at LIMIT ${bind.uint(limit)}`,
  )
}
