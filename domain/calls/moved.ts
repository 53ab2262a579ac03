/**
 * Calls that changed their place in lists: another row, which begins at another time, took the place of theirs. Whoever
 * takes such a row away says so first; a list of several statements then knows where the call was when it began.
 */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { callsOf } from './calls-of.js'
import { unsettledIds } from './unsettled.js'

/** A row that is about to be taken away. */
export interface Leaving {
  /** internal id */
  readonly projectId: string
  readonly id: string
  readonly ver: number
  /** µs since the epoch: when it says that its call began */
  readonly startedAt: number
}

/** Of `leaving`, the rows of calls that other rows, `all` of these calls, say to begin at another time. */
export function movedOf<Row extends Leaving>(leaving: readonly Row[], all: readonly Leaving[]): Row[] {
  const starts = new Map<string, number>()
  const moved = new Set<string>()
  for (const row of all) {
    const key = keyOf(row)
    const known = starts.get(key)
    if (known === undefined) starts.set(key, row.startedAt)
    else if (known !== row.startedAt) moved.add(key)
  }
  return leaving.filter((row) => moved.has(keyOf(row)))
}

const keyOf = ({ projectId, id }: Leaving) => `${projectId} ${id}`

/** Resolves when lists know that these rows go. */
export async function noteMoved(store: Store, rows: readonly Leaving[]): Promise<void> {
  await store.insertRows(
    'calls_moved (project_id, id, ver, started)',
    rows.map(({ projectId, id, ver, startedAt }) => ({ project_id: projectId, id, ver, started: startedAt })),
  )
}

/**
 * SELECT of `started`, `ver`, `gone`, `id`: rows of calls of a project that were taken away in the last `seconds` (`gone`
 * is 1), and those of calls that are there in several rows which begin at different times.
 *
 * A row is noted before it goes: so what has gone is to be looked at last.
 */
export function moves(projectId: string, seconds: number): Sql {
  const project = sql`project_id = ${bind.string(projectId)}`
  const several = sql`${project} AND length(id) != 16 AND id IN (${unsettledIds(projectId, 'whole')})`
  const row = sql`id, (toUnixTimestamp64Micro(started_at), ver) AS place`
  return sql`SELECT place.1 AS started, place.2 AS ver, toUInt8(0) AS gone, id FROM (
    SELECT id, groupArray(place) AS places FROM (
      SELECT ${row} FROM calls_open WHERE ${several} AND kind = 'start'
      UNION ALL SELECT ${row} FROM ${callsOf(projectId)} WHERE ${several})
    GROUP BY id HAVING uniqExact(place.1) > 1) ARRAY JOIN places AS place
  UNION ALL SELECT started, ver, toUInt8(1), id FROM calls_moved
    WHERE ${project} AND at >= now() - ${bind.uint(Math.ceil(seconds))}`
}
