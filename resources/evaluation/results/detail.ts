/** SQL for the trials of a page: their calls, and the predictions and scores below them. Pure. */

import { bothTables, newestOf, visible, visibleRows } from '../../../domain/calls/read/visible.js'
import type { CallTable } from '../../../domain/calls/schema.js'
import { mark, SELF } from '../../../domain/evaluation/ops-sql.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { costIf, ENDED, pricesIf, SECONDS, TOKENS } from './summary.js'
import type { Runs } from './trials.js'

/** The call of a trial. JSON columns are texts; '' for nothing. */
export interface TrialRow {
  id: string
  run: string
  started: number
  inputs: string
  output: string
  attributes: string
  tokens: number | null
  cost: number | null
  /** 0: it runs */
  ended: 0 | 1
}

/** A call below a trial. */
export interface ChildRow {
  id: string
  trial: string
  started: number
  /** seconds; null while it runs */
  seconds: number | null
  op_name: string
  scorer: string
  /** JSON text of the spans that it references, '' for none */
  spans: string
  tokens: number | null
  cost: number | null
}

/** A child begins after its trial, but clocks may differ by this much (µs). */
const SKEW = 3_600_000_000

/** Large columns, which are read only if needed. */
export interface Detail {
  /** rows of data */
  data: boolean
  /** marks that these routes leave in attributes */
  marks: boolean
  /** usage of the trials themselves */
  usage: boolean
  costs: boolean
}

const NONE = sql`''`

/** The condition for calls by start (µs since the epoch) and id; both are used for whole calls. */
function callsAt(keys: readonly (readonly [number, string])[]): (table: CallTable) => Sql {
  const ids = bind.strings(keys.map(([, id]) => id))
  const places = sql`SELECT fromUnixTimestamp64Micro(key.1, 'UTC'), key.2 FROM (
    SELECT arrayJoin(arrayZip(${bind.ints(keys.map(([started]) => started))}, ${ids})) AS key)`
  return (table) => (table === 'calls' ? sql`(started_at, id) IN (${places})` : sql`id IN ${ids}`)
}

/** The calls of trials by start and id. */
export function trialsAt(
  { projectId, ids }: Runs,
  keys: readonly (readonly [number, string])[],
  { data, marks, usage, costs }: Detail,
): Sql {
  const at = callsAt(keys)
  const rows = bothTables((table) => {
    const these = at(table)
    return sql`SELECT id, parent_id AS run, toUnixTimestamp64Micro(started_at) AS started,
      ${data ? sql`inputs` : NONE} AS inputs, output, ${marks ? sql`attributes` : NONE} AS attributes,
      ${usage ? TOKENS : sql`NULL`} AS tokens, ${costIf(usage && costs)} AS cost, ${ENDED} AS ended, ver, ended_at ${visible(table, projectId, [these, sql`run IN ${bind.strings(ids)}`])}`
  })
  return sql`${pricesIf(usage && costs, projectId, (table) => [at(table)])}${newestOf(sql`* EXCEPT (ver, ended_at)`, rows)}`
}

/** The calls below trials. @param since µs since the epoch when the first of these trials began */
export function childrenOf(
  projectId: string,
  trials: readonly string[],
  since: number,
  { marks, costs }: Detail,
): Sql {
  const here = [
    sql`parent_id IN ${bind.strings(trials)}`,
    sql`started_at >= fromUnixTimestamp64Micro(${bind.time(Math.max(0, since - SKEW))}, 'UTC')`,
  ]
  const spans = sql`JSONExtractRaw(attributes, 'weave', 'genai_span_ref')`
  const columns = sql`id, parent_id AS trial, toUnixTimestamp64Micro(started_at) AS started, ${SECONDS} AS seconds,
      toString(op_name) AS op_name, ${marks ? mark('scorer') : NONE} AS scorer, ${marks ? spans : NONE} AS spans,
      ${TOKENS} AS tokens, ${costIf(costs)} AS cost, ver, ended_at`
  const rows = visibleRows(columns, projectId, here)
  return sql`${pricesIf(costs, projectId, () => here)}${newestOf(sql`* EXCEPT (ver, ended_at)`, rows, { order: sql`started, id` })}`
}

/** The objects that calls were made on, as `id` and `self`, for calls whose name doesn't identify the scorer. */
export function selvesOf(projectId: string, calls: readonly ChildRow[]): Sql {
  const at = callsAt(calls.map(({ started, id }) => [started, id]))
  return bothTables((table) => sql`SELECT id, ${SELF} AS self ${visible(table, projectId, [at(table)])}`)
}
