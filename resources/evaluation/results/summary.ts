/** SQL of what the scores of runs amount to: means, pass rates, latency, tokens, costs. Pure. */

import { bothTables, visible } from '../../../domain/calls/read/page.js'
import { pricesOf, totalCost } from '../../../domain/costs/expression.js'
import { TOTAL, usagesOf } from '../../../domain/costs/usages.js'
import { readable } from '../../../domain/expr/json-text.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { IS_PREDICT, IS_SCORE, IS_TRIAL, OP_SHORT } from '../ops-sql.js'
import { digestedTrials, type KnownRows, type Runs, sharedRows, trialRows } from './trials.js'

/** What stands between the keys of a path; no key of JSON text has it raw. */
const BETWEEN = '\u0001'
/** Paths of what is counted along with the leaves of scores. */
export const LATENCY = '\u0002'
export const TRIAL = '\u0003'

/** One row a run and path: its leaves counted. */
export interface LeafTotals {
  /** position among the runs, from 1 */
  run: number
  /** keys down to the leaf, the scorer's first; or one of the above */
  path: string[]
  leaves: number
  numbers: number
  mean: number | null
  known: number
  passed: number
  texts: number
  /** objects that were not gone into */
  objects: number
}

/** One row a run: what the predictions of its trials used. */
export interface UsageTotals {
  run: string
  /** predictions that say what they used */
  used: number
  total: number
  priced: number
  costs: number
  predictions: number
  latency: number | null
}

/** Over how many rows, and those of every run alone? */
export interface Scope {
  runs: Runs
  known: KnownRows
  shared: boolean
}

const intersects = ({ runs, shared }: Scope) => shared && runs.ids.length > 1

function inScope(scope: Scope): Sql {
  return intersects(scope) ? sql`WHERE row IN (${sharedRows(scope.runs, scope.known)})` : sql``
}

/** How many rows all runs have together. */
export function countRows(scope: Scope): Sql {
  return sql`SELECT uniqExact(row) AS rows FROM (${digestedTrials(scope.runs, scope.known)}) ${inScope(scope)}`
}

/**
 * Every leaf of every score of every trial, by path; with the latencies that trials tell, and how many trials there are.
 * @param depth objects are gone into so deep; each level costs, and most scores are flat
 * @param mend read also texts that the engine can't; where it leaves some out, `texts` of {@link TRIAL} says so
 */
export function totalsOfLeaves(scope: Scope, depth: number, mend = false): Sql {
  const trials = intersects(scope)
    ? sql`SELECT run, output FROM (${digestedTrials(scope.runs, scope.known, [sql`output`], [sql`output`])}) ${inScope(scope)}`
    : trialRows(scope.runs, sql`parent_id AS run, output`)
  const text = mend ? readable(sql`output`) : sql`output`
  const pairs = sql`(JSONExtractKeysAndValuesRaw(${text}, 'scores') AS pairs)`
  // Nothing may also mean a number beyond 64 bits, at which the engine gives up on the whole text.
  const read = mend ? sql`''` : sql`if(empty(pairs) AND output != '' AND NOT isValidJSON(output), '"', '')`
  const scores = sql`arrayConcat(${pairs},
      [(${bind.string(TRIAL)}, ${read}), (${bind.string(LATENCY)}, JSONExtractRaw(output, 'model_latency'))])`
  const first = sql`SELECT indexOf(${bind.strings(scope.runs.ids)}, run) AS run, arrayJoin(${scores}) AS leaf
      FROM (${trials})`
  return sql`SELECT run, splitByString(${bind.string(BETWEEN)}, leaf.1) AS path, count() AS leaves,
      count(number) AS numbers, avgOrNull(number) AS mean,
      countIf(leaf.2 IN ('true', 'false')) AS known, countIf(leaf.2 = 'true') AS passed,
      countIf(startsWith(leaf.2, '"')) AS texts, countIf(startsWith(leaf.2, '{')) AS objects
    FROM (SELECT run, leaf, toFloat64OrNull(leaf.2) AS number FROM (${deeper(first, depth)}))
    GROUP BY run, leaf.1 ORDER BY run, path`
}

/** Leaves that are objects replaced by their members, `depth` times. */
function deeper(leaves: Sql, depth: number): Sql {
  if (depth === 0) return leaves
  const members = sql`arrayMap(member -> (concat(object.1, ${bind.string(BETWEEN)}, member.1), member.2), JSONExtractKeysAndValuesRaw(object.2))`
  return sql`SELECT run, arrayJoin(if(startsWith(object.2, '{'), ${members}, [object])) AS leaf
      FROM (SELECT run, leaf AS object FROM (${deeper(leaves, depth - 1)}))`
}

/** Tokens of a call itself with those below it, as its usage says; NULL where it says nothing. */
export const TOKENS = sql`if(empty(${usagesOf(sql`summary`)} AS usages), NULL, arraySum(usage -> ${TOTAL}, usages))`

/** Seconds that a call took; NULL while it runs. */
export const SECONDS = sql`if(ended_at = toDateTime64(0, 6, 'UTC'), NULL,
  (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000000)`

/** What a call cost, or NULL; over a WITH of {@link pricesIf}. */
export const costIf = (priced: boolean) =>
  priced ? totalCost(sql`prices`, sql`summary`, sql`started_at`) : sql`CAST(NULL, 'Nullable(Float64)')`

export const pricesIf = (priced: boolean, projectId: string) =>
  priced ? sql`WITH ${pricesOf(projectId)} AS prices ` : sql``

/** Which ops the traces of runs have: `trace`, `op`, and whether it is named like a method that answers. */
export interface TraceOp {
  trace: string
  op: string
  predicts: 0 | 1
}

export function opsOfTraces(projectId: string, traces: readonly string[]): Sql {
  const here = [sql`trace_id IN ${bind.strings(traces)}`]
  // Of one trace the op alone is grouped by, a column of few values.
  const trace = traces.length === 1 ? bind.string(traces[0]!) : undefined
  const keys = trace ? sql`op_name` : sql`trace_id, op_name`
  const rows = bothTables((table) => sql`SELECT ${keys} ${visible(table, projectId, here)} GROUP BY ${keys}`)
  return sql`SELECT ${trace ? sql`${trace}` : sql`trace_id`} AS trace, toString(op_name) AS op, ${IS_PREDICT} AS predicts
    FROM (${rows}) GROUP BY trace, op_name`
}

/** How predictions are told among the children of trials. */
export interface Predictions {
  traces: readonly string[]
  /** [trace, op] of the one op that answers in each trace; undefined: each trial has to be looked at */
  ops: readonly (readonly [string, string])[] | undefined
  /** refs of the runs' models */
  models: readonly string[]
  /** names of the runs' scores */
  scorers: readonly string[]
}

/** What a call is joined by: hashes, for a set of a hundred thousand ids would be asked of the index at every granule. */
const hashOf = (id: Sql) => sql`cityHash64(${id})`

/** What the predictions of trials used. */
export function totalsOfUsage(scope: Scope, predictions: Predictions, priced: boolean): Sql {
  const { runs, known } = scope
  const trials = intersects(scope)
    ? sql`SELECT ${hashOf(sql`id`)} AS trial, run FROM (${digestedTrials(runs, known)}) ${inScope(scope)}`
    : trialRows(runs, sql`${hashOf(sql`id`)} AS trial, parent_id AS run`)
  const uses = predictions.ops
    ? usesOfOps(runs.projectId, predictions.ops, priced)
    : usesOfTrials(runs, predictions, priced)
  return sql`${pricesIf(priced, runs.projectId)}SELECT run, count(tokens) AS used, sum(tokens) AS total, count(cost) AS priced,
      sum(cost) AS costs, count(seconds) AS predictions, avg(seconds) AS latency
    FROM (${uses}) AS uses INNER JOIN (${trials}) AS trials ON uses.trial = trials.trial GROUP BY run`
}

/** Calls of these ops, whatever they are below. */
function usesOfOps(projectId: string, ops: readonly (readonly [string, string])[], priced: boolean): Sql {
  const here = [
    sql`trace_id IN ${bind.strings(ops.map(([trace]) => trace))}`,
    sql`op_name IN ${bind.strings(ops.map(([, op]) => op))}`,
    ...(ops.length === 1
      ? []
      : [
          sql`(trace_id, toString(op_name)) IN ${bind.tuples(
            ['String', 'String'],
            ops.map((pair) => [...pair]),
          )}`,
        ]),
  ]
  return bothTables(
    (table) => sql`SELECT ${hashOf(sql`parent_id`)} AS trial, ${TOKENS} AS tokens, ${costIf(priced)} AS cost,
      ${SECONDS} AS seconds ${visible(table, projectId, here)}`,
  )
}

/** Of each trial's children the call of the model, or what begins first among those that are no scores. */
function usesOfTrials(
  { projectId, ids }: Runs,
  { traces, models, scorers }: Predictions,
  priced: boolean,
): Sql {
  const here = [
    sql`trace_id IN ${bind.strings(traces)}`,
    sql`NOT ${IS_SCORE}`,
    sql`NOT ${IS_TRIAL}`,
    ...(scorers.length > 0 ? [sql`${OP_SHORT} NOT IN ${bind.strings(scorers)}`] : []),
    sql`parent_id NOT IN ${bind.strings(['', ...ids])}`,
  ]
  const rank = sql`multiIf(op_name IN ${bind.strings(models)}, 1, ${IS_PREDICT}, 2, 3)`
  const children = bothTables(
    (
      table,
    ) => sql`SELECT ${hashOf(sql`parent_id`)} AS trial, ${rank} AS rank, started_at, ${TOKENS} AS tokens,
      ${costIf(priced)} AS cost, ${SECONDS} AS seconds ${visible(table, projectId, here)}`,
  )
  return sql`SELECT trial, use.1 AS tokens, use.2 AS cost, use.3 AS seconds FROM (
      SELECT trial, argMin((tokens, cost, seconds), (rank, started_at)) AS use FROM (
      ${children}) GROUP BY trial)`
}
