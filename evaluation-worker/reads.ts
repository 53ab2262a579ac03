/** The worker's SQL statements and their rows: rows of datasets, calls of runs. */

import { OWN_CONVERSATION } from '../domain/agents/own-conversation.js'
import { everyRow, newestOf, visible, visibleRows } from '../domain/calls/read/visible.js'
import { IS_TRIAL } from '../domain/evaluation/ops-sql.js'
import { bind, type Sql, sql } from '../platform/clickhouse/sql.js'

/** A row of a table. `val` is JSON text in internal form, '' if the row is missing. */
export interface TableRow {
  position: number
  digest: string
  val: string
}

interface TableKey {
  /** internal id */
  project: string
  table: string
}

/** Rows of a table at positions from `from` to before `to`, in order. */
export function tableRows({ project, table }: TableKey, from: number, to: number): Sql {
  const list = sql`project_id = ${bind.string(project)} AND digest = ${bind.string(table)}
    AND position >= ${bind.uint(from)} AND position < ${bind.uint(to)}`
  return sql`SELECT position, row_digest AS digest, val FROM (
      SELECT position, row_digest FROM table_index WHERE ${list} LIMIT 1 BY position
    ) AS listed LEFT ANY JOIN (
      SELECT digest AS stored_digest, any(val) AS val FROM table_rows
      WHERE project_id = ${bind.string(project)}
        AND digest_key IN (SELECT cityHash64(row_digest) FROM table_index WHERE ${list})
      GROUP BY stored_digest
    ) AS stored ON listed.row_digest = stored.stored_digest ORDER BY position`
}

/** The number of a table's rows; no result if the table doesn't exist. */
export function tableSize({ project, table }: TableKey): Sql {
  return sql`SELECT rows AS count FROM tables FINAL
    WHERE project_id = ${bind.string(project)} AND digest = ${bind.string(table)}`
}

/** Rows of tables by digest: `digest` and `val`, in internal form. */
export function rowsByDigest(projects: readonly string[], digests: readonly string[]): Sql {
  return sql`SELECT digest, any(val) AS val FROM table_rows
    WHERE project_id IN ${bind.strings(projects)}
      AND digest_key IN (SELECT cityHash64(arrayJoin(${bind.strings(digests)}))) AND digest IN ${bind.strings(digests)}
    GROUP BY digest`
}

/** The root call of a run: its version, and whether it is still open. */
export interface RootRow {
  ver: number
  open: 0 | 1
}

export function rootCall(project: string, id: string): Sql {
  const here = [sql`id = ${bind.string(id)}`]
  return sql`SELECT ver, open FROM (
    SELECT ver, 1 AS open ${everyRow('calls_open', project, here)}
    UNION ALL SELECT ver, 0 AS open ${everyRow('calls', project, here)}
  ) ORDER BY open, ver DESC LIMIT 1`
}

/** Ids of the ended calls below a run that have this op. */
export function finishedTrials(project: string, run: string, op: string): Sql {
  const trials = [sql`parent_id = ${bind.string(run)}`, sql`op_name = ${bind.string(op)}`]
  return sql`SELECT DISTINCT id ${everyRow('calls', project, trials)}`
}

/** `inputs`, `output` and `summary` (JSON texts) and `exception` of a run's trials, in order of start. */
export function trialOutputs(project: string, run: string, op: string): Sql {
  const trials = [sql`parent_id = ${bind.string(run)}`, sql`op_name = ${bind.string(op)}`]
  return sql`SELECT inputs, output, summary, exception ${visible('calls', project, trials)} ORDER BY started_at, id`
}

/** Calls of a trace that have more than one row, with all their versions, oldest first. */
export function twins(project: string, trace: string): Sql {
  return sql`SELECT id, arraySort(groupArray(ver)) AS vers
    ${everyRow('calls', project, [sql`trace_id = ${bind.string(trace)}`])} GROUP BY id HAVING count() > 1`
}

/**
 * The `id`s of those of these calls that have ended.
 * @param since µs; all of them began then or later @param userId whose they are; default: unknown
 */
export function finishedAmong(project: string, ids: readonly string[], since = 0, userId?: string): Sql {
  // Among many calls of others, only those that may be the ones are compared by id.
  const early = [
    ...(since > 0 ? [beganSince(since)] : []),
    ...(userId === undefined ? [] : [sql`user_id = ${bind.string(userId)}`]),
  ]
  return sql`SELECT DISTINCT id ${everyRow('calls', project, [sql`id IN ${bind.strings(ids)}`], early)}`
}

/** The project's rows are sorted by start, so few are looked at. */
const beganSince = (since: number): Sql =>
  sql`started_at >= fromUnixTimestamp64Micro(${bind.time(since)}, 'UTC')`

/** A call as read; JSON columns are texts. */
export interface CallRow {
  id: string
  trace_id: string
  parent_id: string
  op_name: string
  /** µs since the epoch; 0 for none */
  started: number
  ended: number
  exception: string
  inputs: string
  output: string
  attributes: string
  /** of a turn of an agent */
  conversation: string
  agent_name: string
  agent_version: string
  /** 0: unset, 1: ok, 2: error */
  span_status: number
}

const COLUMNS = sql`id, trace_id, parent_id, toString(op_name) AS op_name, toUnixTimestamp64Micro(started_at) AS started,
  toUnixTimestamp64Micro(ended_at) AS ended, exception, output,
  ${OWN_CONVERSATION} AS conversation, toString(agent_name) AS agent_name,
  toString(agent_version) AS agent_version, span_status, ver, ended_at`
const INPUTS = sql`inputs, attributes`
const NO_INPUTS = sql`'' AS inputs, '' AS attributes`

/** What is known of calls that are read. */
interface Wanted {
  /** µs since the epoch: all of them began then or later */
  since?: number
  /** or before, or then */
  until?: number | undefined
  /** false: `inputs` and `attributes` are empty, most of what a block of calls weighs; default: true */
  inputs?: boolean
}

/** The newest versions of these calls. */
export function callsById(
  project: string,
  ids: readonly string[],
  { since = 0, until, inputs = true }: Wanted = {},
): Sql {
  const early = [
    ...(since > 0 ? [beganSince(since)] : []),
    ...(until === undefined ? [] : [sql`started_at <= fromUnixTimestamp64Micro(${bind.time(until)}, 'UTC')`]),
  ]
  return whole(project, sql`id IN ${bind.strings(ids)}`, early, inputs)
}

/** The children of these calls. */
export function callsBelow(project: string, parents: readonly string[]): Sql {
  return whole(project, sql`parent_id IN ${bind.strings(parents)}`)
}

function whole(project: string, which: Sql, early: readonly Sql[] = [], inputs = true): Sql {
  const rows = visibleRows(sql`${COLUMNS}, ${inputs ? INPUTS : NO_INPUTS}`, project, [which], early)
  return newestOf(sql`* EXCEPT (ver, ended_at)`, rows, { order: sql`started, id` })
}

/** Ids of a run's ended trials, in order of start. */
export function sourceTrials(project: string, run: string): Sql {
  const trials = [sql`parent_id = ${bind.string(run)}`, IS_TRIAL]
  return sql`SELECT id ${visible('calls', project, trials)} ORDER BY started_at, id LIMIT 1 BY id`
}
