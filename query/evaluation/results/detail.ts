/** SQL of what a page shows of its trials: the calls themselves, and the predictions and scores below them. Pure. */
import { bind, type Sql, sql } from '../../../common/clickhouse/sql.js'
import { bothTables, visible } from '../../calls/page.js'
import { pricesOf, totalCost } from '../../costs/expression.js'
import { IS_PREDICT, IS_SCORE, mark, OP_SHORT, SELF } from '../ops-sql.js'
import { TOKENS } from './summary.js'
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
}

/** A call below a trial. */
export interface ChildRow {
  id: string
  trial: string
  started: number
  /** seconds; null while it runs */
  seconds: number | null
  op_name: string
  /** the name in it */
  op: string
  /** what it was called on, '' for nothing */
  self: string
  /** 1: it says that it is a score, or its name does */
  is_score: 0 | 1
  /** 1: its name is that of a method that answers */
  is_predict: 0 | 1
  scorer: string
  /** JSON text of the spans that it names, '' for none */
  spans: string
  tokens: number | null
  cost: number | null
}

const EPOCH = sql`toDateTime64(0, 6, 'UTC')`
const SECONDS = sql`if(ended_at = ${EPOCH}, NULL, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000000)`
/** A child begins after its trial, by clocks that may differ so much (µs). */
const SKEW = 3_600_000_000

const prices = (projectId: string, priced: boolean) =>
  priced ? sql`WITH ${pricesOf(projectId)} AS prices ` : sql``
const cost = (priced: boolean) =>
  priced ? totalCost(sql`prices`, sql`summary`, sql`started_at`) : sql`CAST(NULL, 'Nullable(Float64)')`

/** The calls of trials by start and id. */
export function trialsAt(
  { projectId, ids }: Runs,
  keys: readonly (readonly [number, string])[],
  priced: boolean,
): Sql {
  const trialIds = bind.strings(keys.map(([, id]) => id))
  const places = sql`SELECT fromUnixTimestamp64Micro(key.1, 'UTC'), key.2 FROM (
    SELECT arrayJoin(arrayZip(${bind.ints(keys.map(([started]) => started))}, ${trialIds})) AS key)`
  const rows = bothTables((table) => {
    const these = table === 'calls' ? sql`(started_at, id) IN (${places})` : sql`id IN ${trialIds}`
    return sql`SELECT id, parent_id AS run, toUnixTimestamp64Micro(started_at) AS started, inputs, output, attributes,
      ${TOKENS} AS tokens, ${cost(priced)} AS cost, ver ${visible(table, projectId, [these, sql`run IN ${bind.strings(ids)}`])}`
  })
  return sql`${prices(projectId, priced)}SELECT * EXCEPT (ver) FROM (
    ${rows}) ORDER BY ver DESC LIMIT 1 BY id`
}

/** The calls below trials. @param since µs since the epoch when the first of these trials began */
export function childrenOf(
  projectId: string,
  trials: readonly string[],
  since: number,
  priced: boolean,
): Sql {
  const here = [
    sql`parent_id IN ${bind.strings(trials)}`,
    sql`started_at >= fromUnixTimestamp64Micro(${bind.time(Math.max(0, since - SKEW))}, 'UTC')`,
  ]
  const isScore = sql`(${IS_SCORE} OR ${mark('score')} = 'true' OR JSONExtractBool(attributes, '_weave_eval_meta', 'score'))`
  const rows = bothTables(
    (
      table,
    ) => sql`SELECT id, parent_id AS trial, toUnixTimestamp64Micro(started_at) AS started, ${SECONDS} AS seconds,
      toString(op_name) AS op_name, toString(${OP_SHORT}) AS op, ${SELF} AS self, ${isScore} AS is_score,
      ${IS_PREDICT} AS is_predict, ${mark('scorer')} AS scorer,
      JSONExtractRaw(attributes, 'weave', 'genai_span_ref') AS spans, ${TOKENS} AS tokens, ${cost(priced)} AS cost, ver
      ${visible(table, projectId, here)}`,
  )
  return sql`${prices(projectId, priced)}SELECT * EXCEPT (ver) FROM (
    ${rows}) ORDER BY started, id, ver DESC LIMIT 1 BY id`
}
