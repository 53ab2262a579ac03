/** Statements that read the usage of calls: light columns of both tables, in no order. Pure. */

import { COUNTS } from '../../domain/calls/one-answer.js'
import { visibleRows } from '../../domain/calls/read/visible.js'
import { EPOCH } from '../../domain/calls/unset.js'
import { usageText } from '../../domain/costs/usages.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** A row of the statements. A call may briefly have several rows; the highest `ver` counts. */
export interface UsageRow {
  id: string
  parent: string
  ver: number
  /** 1: it has no end */
  open: 0 | 1
  /** JSON of `summary.usage`; '' for none */
  usage: string
  /** µs since the epoch */
  started: number
}

/** The usage of the calls that match all `conditions`. @param projectId internal id */
export function usageStatement(projectId: string, conditions: readonly Sql[]): Sql {
  const columns = sql`id, parent_id, ver, started_at, ended_at, summary, repeats_usage`
  return sql`SELECT id, parent_id AS parent, ver, ended_at = ${EPOCH} AS open,
  toUnixTimestamp64Micro(started_at) AS started, if(${COUNTS}, ${usageText(sql`summary`)}, '') AS usage FROM (
  ${visibleRows(columns, projectId, conditions)})`
}

/** The condition that a call is in a trace of one of `ids`. */
export function tracesOf(projectId: string, ids: readonly string[]): Sql {
  return sql`trace_id IN (${visibleRows(sql`trace_id`, projectId, [sql`id IN ${bind.strings(ids)}`])})`
}
