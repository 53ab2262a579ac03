/**
 * Calls that may briefly have several rows. A writer announces a call before it stores another row of it; readers then
 * see one of its rows, whichever they find.
 */
import { bind, type Sql, sql, token } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'

/** A row about to be stored beside another row of its call. */
export interface ExpectedRow {
  readonly projectId: string
  readonly id: string
  readonly ver: number
  /** what it joins or replaces: only halves, or a whole call */
  readonly kind: 'half' | 'whole'
}

/** Characters of a span's id, which no other call's has: it is unique within its trace. */
export const SPAN_ID_LENGTH = 16

/** Identifies a project's rows as one call: the id, and for an exporter's span also its trace and start. */
export const IDENTITY = sql`id, if(length(id) = ${token(String(SPAN_ID_LENGTH))}, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))`

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

/** A condition that holds, or ends the statement. Its place is as above. */
export function noneUnsettled(projectId: string): Sql {
  return sql`(SELECT throwIf(count() > 0) ${unsettled(projectId)}) = 0`
}

/** SELECT of the ids of these calls. */
export function unsettledIds(projectId: string, kind?: ExpectedRow['kind']): Sql {
  return sql`SELECT id ${unsettled(projectId, kind)}`
}

function unsettled(projectId: string, kind?: ExpectedRow['kind']): Sql {
  const ofKind = kind === undefined ? sql`` : sql` AND kind = ${bind.string(kind)}`
  return sql`FROM calls_unsettled WHERE project_id = ${bind.string(projectId)}${ofKind}`
}
