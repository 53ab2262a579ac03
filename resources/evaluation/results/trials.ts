/**
 * SQL over the trials of runs: the calls that hold a prediction and its scores, with the run and the row of data that
 * each belongs to. Pure.
 */

import { bothTables, single } from '../../../domain/calls/read/visible.js'
import { firstOf, IS_TRIAL, mark } from '../../../domain/evaluation/ops-sql.js'
import { bind, commaList, type Sql, sql } from '../../../platform/clickhouse/sql.js'

/** The requested runs. */
export interface Runs {
  projectId: string
  /** ids of their root calls, at least one */
  ids: readonly string[]
}

/** Known digests of rows that are inside calls, not in a dataset. */
export interface KnownRows {
  /** trials may have a mark with the digest; if not, a large column need not be read */
  marked: boolean
  /** hashes of the texts of rows without any other digest */
  hashes: readonly string[]
  digests: readonly string[]
}

/** The row of data as text: the ref of a dataset's row, or the row itself; '' also if the engine can't read it. */
const EXAMPLE = sql`JSONExtractString(inputs, 'example')`
/** Identifies a row inside a call until its digest is known. */
const HASH = sql`sipHash64(if(example = '', inputs, example))`

/** Trials of these runs with `columns` (over the columns of calls).*/
export function trialRows({ projectId, ids }: Runs, columns: Sql): Sql {
  const here = [sql`parent_id IN ${bind.strings(ids)}`, IS_TRIAL]
  return bothTables((table) => sql`SELECT ${columns} ${single(table, projectId, here)}`)
}

/**
 * `row`: the digest of a trial's row, from the ref of a dataset's row, these routes' mark, or an earlier computation;
 * `?` and a hash if it is not known yet. Needs a column `example`.
 */
function rowDigest(known: KnownRows): Sql {
  const otherwise = sql`concat('?', toString(${HASH}))`
  const computed =
    known.hashes.length === 0
      ? otherwise
      : sql`transform(${HASH}, ${bind.uints(known.hashes)}, ${bind.strings(known.digests)}, ${otherwise})`
  const inCall = known.marked ? firstOf(mark('row_digest'), computed) : computed
  return sql`if(startsWith(example, 'weave:///') AND position(example, '/id/') > 0,
    substringIndex(example, '/', -1), ${inCall})`
}

/** Trials with the digest of their row: columns `id`, `run`, `started`, `row`, and more. */
export function digestedTrials(
  runs: Runs,
  known: KnownRows,
  more: readonly Sql[] = [],
  needs: readonly Sql[] = [],
): Sql {
  const columns = commaList([
    sql`id, parent_id AS run, started_at, bytes AS size, inputs, ${EXAMPLE} AS example`,
    ...(known.marked ? [sql`attributes`] : []),
    ...needs,
  ])
  const computed = commaList([
    sql`id, run, toUnixTimestamp64Micro(started_at) AS started, size, ${rowDigest(known)} AS row`,
    ...more,
  ])
  return sql`SELECT ${computed} FROM (
    ${trialRows(runs, columns)})`
}

/** The rows with unknown digests: `hash`, and the inputs of one call with that row. */
export function unknownRows(runs: Runs, known: KnownRows): Sql {
  const rows = digestedTrials(runs, known, [sql`toString(${HASH}) AS hash, inputs`])
  return sql`SELECT hash, any(inputs) AS inputs FROM (${rows}) WHERE startsWith(row, '?') GROUP BY hash`
}

/** Rows that all the runs have. */
export function sharedRows(runs: Runs, known: KnownRows): Sql {
  return sql`SELECT row FROM (${digestedTrials(runs, known)}) GROUP BY row
    HAVING uniqExact(run) = ${bind.uint(runs.ids.length)}`
}

/** The root call of a run. */
export interface RunRoot {
  id: string
  trace_id: string
  display_name: string
  /** µs since the epoch */
  started: number
  inputs: string
  /** 1: these routes made it */
  own: 0 | 1
}

/** The root calls of runs. */
export function runRoots({ projectId, ids }: Runs): Sql {
  const here = [sql`id IN ${bind.strings(ids)}`]
  const rows = bothTables(
    (table) =>
      sql`SELECT id, trace_id, display_name, toUnixTimestamp64Micro(started_at) AS started, inputs,
      ${mark('evaluation_run')} = 'true' AS own, ver ${single(table, projectId, here)}`,
  )
  return sql`SELECT * FROM (
    ${rows}) ORDER BY ver DESC LIMIT 1 BY id`
}
