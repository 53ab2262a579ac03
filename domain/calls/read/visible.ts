/**
 * Which rows of calls readers see. A call may briefly have two rows: its start and its whole row, or two versions. The
 * newest is visible, a whole row before a start. Every reader of calls selects its rows here, which `visible.test.ts`
 * holds, so that none can forget the rule. Neither table is read with FINAL: docs/adr/0004 and 0063 say why. Pure.
 */
import {
  allOf,
  bind,
  commaList,
  covered,
  join,
  presuming,
  type Sql,
  sql,
} from '../../../platform/clickhouse/sql.js'
import { callsOf } from '../calls-of.js'
import type { CallTable } from '../schema.js'
import { IDENTITY, noneUnsettled, unsettledCalls, unsettledIds } from '../unsettled.js'

/**
 * FROM and WHERE of a table's visible rows: at most one per call in a statement.
 * @param early conditions implied by the others; rows that fail them are not read further
 * @param columns the selected columns, which determine the joins
 */
export function visible(
  table: CallTable,
  projectId: string,
  conditions: readonly Sql[],
  early: readonly Sql[] = [],
  columns: Sql = sql``,
): Sql {
  return everyRow(
    table,
    projectId,
    [settled(projectId, oneRow(table, projectId)), ...conditions],
    early,
    columns,
  )
}

/** A rule that a project's rows follow while none of its calls may have several. */
const settled = (projectId: string, rule: Sql): Sql => presuming(projectId, noneUnsettled(projectId), rule)

/** Like {@link visible}, but may briefly include both rows of a replaced call; the caller tells them apart. */
export function everyRow(
  table: CallTable,
  projectId: string,
  conditions: readonly Sql[],
  early: readonly Sql[] = [],
  columns: Sql = sql``,
  from: Sql = tableOf(table, projectId),
): Sql {
  const project = sql`project_id = ${bind.string(projectId)}`
  const kind = table === 'calls_open' ? [sql`kind = 'start'`] : []
  const and = sql` AND `
  const { joins } = join([...conditions, columns], sql` `)
  if (joins.length > 0) {
    const all = join([project, ...kind, ...early, ...conditions], and)
    const others = joins.map(({ from }) => from)
    return sql`FROM ${from} ${join(others, sql` `)} WHERE ${all}`
  }
  if (early.length === 0) return sql`FROM ${from} WHERE ${join([project, ...kind, ...conditions], and)}`
  return sql`FROM ${from} PREWHERE ${join([project, ...kind, ...early], and)} WHERE ${join(conditions, and)}`
}

const tableOf = (table: CallTable, projectId: string): Sql =>
  table === 'calls' ? callsOf(projectId) : sql`calls_open`

/**
 * True for the one visible row of a call in `table`: of several whole rows the newest, and a start only if there is no
 * whole row. Costs nothing while no call of the project is unsettled.
 *
 * The engine takes a table's snapshot where a statement first names it, and uses it for the whole statement. So a start
 * is read before the whole call, which is stored before the start is removed, and `calls_unsettled` is read last: it
 * covers everything that had two rows before. Hence no statement may name `calls_unsettled` before `calls`, and the
 * order of the conditions here matters. For the same reason what {@link bothTables} presumes is checked in the second.
 */
function oneRow(table: CallTable, projectId: string): Sql {
  const project = sql`project_id = ${bind.string(projectId)}`
  if (table === 'calls_open') {
    const starts = sql`SELECT id FROM calls_open WHERE ${project} AND kind = 'start' AND id IN (${unsettledIds(projectId)})`
    return sql`(id NOT IN (SELECT id FROM ${callsOf(projectId)} WHERE ${project} AND id IN (${starts})) OR ${unsettledCalls(projectId)} = 0)`
  }
  return newestAmong(sql`FROM ${callsOf(projectId)} WHERE ${project}`, projectId, 'whole', IDENTITY)
}

/** True for the newest start of a call. Its place among the conditions is behind {@link oneRow}. */
function newestStart(projectId: string): Sql {
  const starts = sql`FROM calls_open WHERE project_id = ${bind.string(projectId)} AND kind = 'start'`
  return newestAmong(starts, projectId, 'half', sql`id`)
}

/** True for the newest version of a call among `rows`, as far as others were announced. @param identity tells calls apart */
function newestAmong(rows: Sql, projectId: string, kind: 'half' | 'whole', identity: Sql): Sql {
  return sql`((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY ${identity}) AS newest
    ${rows} AND id IN (${unsettledIds(projectId, kind)})) WHERE ver < newest) OR ${unsettledCalls(projectId, kind)} = 0)`
}

/**
 * `select(table)` of both tables. The engine reads them in this order: a call that ends meanwhile is written to `calls`
 * before it leaves `calls_open`, so it may be seen twice but is never missed.
 */
export function bothTables(select: (table: CallTable) => Sql): Sql {
  return sql`${covered(select('calls_open'))}
  UNION ALL ${select('calls')}`
}

/** A column `whole`: of two rows with the same `ver`, the one with the end precedes the running one. */
export const WHOLE: Record<CallTable, Sql> = { calls: sql`1 AS whole`, calls_open: sql`0 AS whole` }

/** Sorts the newest row of a call first, by `ver` and `whole`. */
export const NEWEST = sql`ver DESC, whole DESC`

/** The same by `ver` and `ended_at`, which only a whole row has. */
const NEWEST_BY_END = sql`ver DESC, ended_at DESC`

/** SELECT of `columns` of the visible rows of both tables. */
export const visibleRows = (
  columns: Sql,
  projectId: string,
  conditions: readonly Sql[],
  early: readonly Sql[] = [],
): Sql =>
  bothTables((table) => sql`SELECT ${columns} ${visible(table, projectId, conditions, early, columns)}`)

/**
 * SELECT of `columns` of `rows`, each call once: two processes may store the same call, and both rows are visible until
 * the store has merged them.
 * @param rows with the columns `id`, `ver` and `ended_at`
 * @param order of the result @param by what tells calls apart
 */
export function newestOf(columns: Sql, rows: Sql, { order = sql``, by = sql`id` } = {}): Sql {
  return sql`SELECT ${columns} FROM (
    ${rows}) ORDER BY ${commaList([order, NEWEST_BY_END])} LIMIT 1 BY ${by}`
}

/** `columns` of the visible rows of both tables, each call once, for sums and counts. */
export function rowsOfBoth(columns: Sql, projectId: string, conditions: readonly Sql[]): Sql {
  return bothTables((table) => sql`SELECT ${columns} ${single(table, projectId, conditions, [], columns)}`)
}

/** Like {@link visible}, but of a running call whose start was sent twice only the newest start. Lists tell these apart themselves. */
export function single(
  table: CallTable,
  projectId: string,
  conditions: readonly Sql[],
  early: readonly Sql[] = [],
  columns: Sql = sql``,
): Sql {
  const once = table === 'calls' ? [] : [newestStart(projectId)]
  const rule = settled(projectId, allOf([oneRow(table, projectId), ...once]))
  return everyRow(table, projectId, [rule, ...conditions], early, columns)
}
