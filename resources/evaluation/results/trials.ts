/**
 * SQL over the trials of runs: the calls that hold a prediction and its scores, whoever made them. Of each, which run
 * and which row of data it belongs to. Pure.
 */

import { bothTables, single } from '../../../domain/calls/read/page.js'
import { bind, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { firstOf, IS_TRIAL, mark } from '../ops-sql.js'

/** The runs that are asked for. */
export interface Runs {
  /** internal id */
  projectId: string
  /** ids of their root calls; there is one at least */
  ids: readonly string[]
}

/** What is known of rows that stand inside calls, not in a dataset. */
export interface KnownRows {
  /** trials may have a mark that tells the digest; otherwise a large column need not be read */
  marked: boolean
  /** of the texts of rows that nothing else tells the digest of */
  hashes: readonly string[]
  digests: readonly string[]
}

/** The row of data, as text: the ref of a row of a dataset, or the row itself; '' also where the engine can't read it. */
const EXAMPLE = sql`JSONExtractString(inputs, 'example')`
/** What a row inside a call is told by until its digest is known. */
const HASH = sql`sipHash64(if(example = '', inputs, example))`

/** Rows of trials with `columns` (over the columns of calls); `conditions` besides that they are of these runs. */
export function trialRows({ projectId, ids }: Runs, columns: Sql, conditions: readonly Sql[] = []): Sql {
  const here = [sql`parent_id IN ${bind.strings(ids)}`, IS_TRIAL, ...conditions]
  return bothTables((table) => sql`SELECT ${columns} ${single(table, projectId, here)}`)
}

/**
 * `row`: the digest of a trial's row, as a ref of a dataset's row tells it, or a mark that these routes leave, or
 * what was computed before; `?` and a hash where nobody knows yet. Over a column `example`.
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
  const columns = join(
    [
      sql`id, parent_id AS run, started_at, bytes AS size, inputs, ${EXAMPLE} AS example`,
      ...(known.marked ? [sql`attributes`] : []),
      ...needs,
    ],
    sql`, `,
  )
  const computed = join(
    [sql`id, run, toUnixTimestamp64Micro(started_at) AS started, size, ${rowDigest(known)} AS row`, ...more],
    sql`, `,
  )
  return sql`SELECT ${computed} FROM (
    ${trialRows(runs, columns)})`
}

/** The rows whose digests nobody knows: `hash` and the inputs of a call that has such a row. */
export function unknownRows(runs: Runs, known: KnownRows): Sql {
  const rows = digestedTrials(runs, known, [sql`toString(${HASH}) AS hash, inputs`])
  return sql`SELECT hash, any(inputs) AS inputs FROM (${rows}) WHERE startsWith(row, '?') GROUP BY hash`
}

/** Rows that every one of the runs has. */
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
