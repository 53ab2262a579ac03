/**
 * Calls that moved in lists: a row with another start time replaced theirs. A writer records the old row before it
 * removes it, so that a list of several statements knows where the call was when the list began.
 */
import { bind, type Sql, sql, token } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { callsOf } from './calls-of.js'
import { SPAN_ID_LENGTH, unsettledIds } from './unsettled.js'

/** A row about to be removed. */
export interface Leaving {
  readonly projectId: string
  readonly id: string
  readonly ver: number
  /** the row's start time, in µs since the epoch */
  readonly startedAt: number
}

/** The rows of `leaving` whose calls have another start time in other rows (`all` of these calls). */
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

/** Resolves when lists can see that these rows are removed. */
export async function noteMoved(store: Store, rows: readonly Leaving[]): Promise<void> {
  await store.insertRows(
    'calls_moved (project_id, id, ver, started)',
    rows.map(({ projectId, id, ver, startedAt }) => ({ project_id: projectId, id, ver, started: startedAt })),
  )
}

/**
 * SELECT of `started`, `ver`, `gone`, `id`: a project's rows removed in the last `seconds` (`gone` is 1), and rows of
 * calls that have several rows with different start times.
 *
 * A row is recorded before it is removed, so read the removed rows last.
 */
export function moves(projectId: string, seconds: number): Sql {
  const project = sql`project_id = ${bind.string(projectId)}`
  const several = sql`${project} AND length(id) != ${token(String(SPAN_ID_LENGTH))} AND id IN (${unsettledIds(projectId, 'whole')})`
  const row = sql`id, (toUnixTimestamp64Micro(started_at), ver) AS place`
  return sql`SELECT place.1 AS started, place.2 AS ver, toUInt8(0) AS gone, id FROM (
    SELECT id, groupArray(place) AS places FROM (
      SELECT ${row} FROM calls_open WHERE ${several} AND kind = 'start'
      UNION ALL SELECT ${row} FROM ${callsOf(projectId)} WHERE ${several})
    GROUP BY id HAVING uniqExact(place.1) > 1) ARRAY JOIN places AS place
  UNION ALL SELECT started, ver, toUInt8(1), id FROM calls_moved
    WHERE ${project} AND at >= now() - ${bind.uint(Math.ceil(seconds))}`
}
