/**
 * Calls that may briefly have several rows. A writer announces a call before it stores another row of it; readers then
 * see one of its rows, whichever they find. Knows nothing of the writers.
 */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { callsOf } from './calls-of.js'
import type { CallTable } from './schema.js'

/** A row about to be stored beside another row of its call. */
export interface ExpectedRow {
  /** internal id */
  readonly projectId: string
  readonly id: string
  readonly ver: number
  /** what it joins or replaces: only halves, or a whole call */
  readonly kind: 'half' | 'whole'
}

/** Identifies a project's rows as one call: the id, and for an exporter's span also its trace and start. */
export const IDENTITY = sql`id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))`

/** Resolves when readers can see that these rows may come. */
export async function announce(store: Store, rows: readonly ExpectedRow[]): Promise<void> {
  await store.insertRows(
    'calls_unsettled (project_id, kind, id, ver)',
    rows.map(({ projectId, kind, id, ver }) => ({ project_id: projectId, kind, id, ver })),
  )
}

/** How many calls of a project may have several rows. Use it where the tables of calls are named earlier. */
export function unsettledCalls(projectId: string, kind?: ExpectedRow['kind']): Sql {
  return sql`(SELECT count() ${unsettled(projectId, kind)})`
}

/** SELECT of the ids of these calls. */
export function unsettledIds(projectId: string, kind?: ExpectedRow['kind']): Sql {
  return sql`SELECT id ${unsettled(projectId, kind)}`
}

function unsettled(projectId: string, kind: ExpectedRow['kind'] | undefined): Sql {
  const ofKind = kind === undefined ? sql`` : sql` AND kind = ${bind.string(kind)}`
  return sql`FROM calls_unsettled WHERE project_id = ${bind.string(projectId)}${ofKind}`
}

/**
 * True for the one visible row of a call in `table`: of several whole rows the newest, and a start only if there is no
 * whole row. Costs nothing while no call of the project is unsettled.
 *
 * The engine takes a table's snapshot where a statement first names it, and uses it for the whole statement. So a start
 * is read before the whole call, which is stored before the start is removed, and `calls_unsettled` is read last: it
 * covers everything that had two rows before. Hence no statement may name `calls_unsettled` before `calls`, and the
 * order of the conditions here matters.
 */
export function oneRow(table: CallTable, projectId: string): Sql {
  const project = sql`project_id = ${bind.string(projectId)}`
  if (table === 'calls_open') {
    const starts = sql`SELECT id FROM calls_open WHERE ${project} AND kind = 'start' AND id IN (${unsettledIds(projectId)})`
    return sql`(id NOT IN (SELECT id FROM ${callsOf(projectId)} WHERE ${project} AND id IN (${starts})) OR ${unsettledCalls(projectId)} = 0)`
  }
  const replaced = unsettledIds(projectId, 'whole')
  const older = sql`SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY ${IDENTITY}) AS newest
    FROM ${callsOf(projectId)} WHERE ${project} AND id IN (${replaced})) WHERE ver < newest`
  return sql`((id, ver) NOT IN (${older}) OR ${unsettledCalls(projectId, 'whole')} = 0)`
}
