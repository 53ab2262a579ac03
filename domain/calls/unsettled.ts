/**
 * Calls of which several rows may be stored for a moment. A writer that stores a row beside another of its call
 * announces it first; readers then see one row of it, whichever of the two they meet. Knows nothing of who writes.
 */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { callsOf } from './calls-of.js'
import type { CallTable } from './schema.js'

/** A row that is about to be stored beside another one of its call. */
export interface ExpectedRow {
  /** internal id */
  readonly projectId: string
  readonly id: string
  readonly ver: number
  /** what it joins or replaces: halves alone, or a whole call */
  readonly kind: 'half' | 'whole'
}

/** What makes rows of a project one call's: the id, and for a span of an exporter its trace and its start. */
export const IDENTITY = sql`id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))`

/** Resolves when readers know that these rows may come. */
export async function announce(store: Store, rows: readonly ExpectedRow[]): Promise<void> {
  await store.insertRows(
    'calls_unsettled (project_id, kind, id, ver)',
    rows.map(({ projectId, kind, id, ver }) => ({ project_id: projectId, kind, id, ver })),
  )
}

/** How many calls of a project may be there in several rows; to stand where the tables of calls are named before it. */
export function unsettledCalls(projectId: string, kind?: ExpectedRow['kind']): Sql {
  return sql`(SELECT count() ${unsettled(projectId, kind)})`
}

/** SELECT of their ids. */
export function unsettledIds(projectId: string, kind?: ExpectedRow['kind']): Sql {
  return sql`SELECT id ${unsettled(projectId, kind)}`
}

function unsettled(projectId: string, kind: ExpectedRow['kind'] | undefined): Sql {
  const ofKind = kind === undefined ? sql`` : sql` AND kind = ${bind.string(kind)}`
  return sql`FROM calls_unsettled WHERE project_id = ${bind.string(projectId)}${ofKind}`
}

/**
 * True of the one row of a call that is to be seen, of `table`: of several whole ones the newest, and a start only
 * while there is no whole one. Costs nothing while no call of the project is unsettled.
 *
 * The engine takes its snapshot of a table where a statement names it first, and for all of the statement. So a start is
 * looked for before the whole call, which comes before the start goes, and what is unsettled is looked at last: of
 * whatever was there twice before that, it tells. Hence no statement may name `calls_unsettled` before `calls`, and
 * here the order of the conditions counts.
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
