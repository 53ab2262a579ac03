/** SQL for the summaries of runs: means, pass rates, latency, tokens, costs. Pure. */

import { COUNTS } from '../../../domain/calls/one-answer.js'
import { bothTables, visible, visibleRows } from '../../../domain/calls/read/visible.js'
import type { CallTable } from '../../../domain/calls/schema.js'
import { pricesOf, totalCost } from '../../../domain/costs/expression.js'
import { modelsOf, TOTAL, usagesOf } from '../../../domain/costs/usages.js'
import { IS_PREDICT, IS_SCORE, IS_TRIAL, OP_SHORT } from '../../../domain/evaluation/ops-sql.js'
import { readable } from '../../../domain/expr/json-text.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { digestedTrials, type KnownRows, type Runs, sharedRows, trialRows } from './trials.js'

/** Separates the keys of a path; no key in JSON text contains it unescaped. */
const BETWEEN = '\u0001'
/** Paths of values that are counted along with the leaves of scores. */
export const LATENCY = '\u0002'
export const TRIAL = '\u0003'
/** true: the trial ended without any output and score; false: it ended with one; nothing while it runs. */
export const FAILED = '\u0004'

/** One row per run and path: counts of its leaves. */
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
  /** objects that were not expanded */
  objects: number
}

/** One row per run: the usage of its trials' predictions. */
export interface UsageTotals {
  run: string
  /** predictions that report usage */
  used: number
  total: number
  priced: number
  costs: number
  predictions: number
  latency: number | null
}

/** The rows that a summary covers: all, or only those that every run has. */
export interface Scope {
  runs: Runs
  known: KnownRows
  shared: boolean
}

/** Whether a call has ended. */
export const ENDED = sql`ended_at != toDateTime64(0, 6, 'UTC')`

const LEAF_COLUMNS = [sql`output`, sql`ended_at`]

const intersects = ({ runs, shared }: Scope) => shared && runs.ids.length > 1

function inScope(scope: Scope): Sql {
  return intersects(scope) ? sql`WHERE row IN (${sharedRows(scope.runs, scope.known)})` : sql``
}

/** The number of distinct rows of all runs. */
export function countRows(scope: Scope): Sql {
  return sql`SELECT uniqExact(row) AS rows FROM (${digestedTrials(scope.runs, scope.known)}) ${inScope(scope)}`
}

/**
 * Every leaf of every trial's scores, by path, with the trials' own latencies and the number of trials.
 * @param depth how deep objects are expanded; each level costs, and most scores are flat
 * @param mend also read texts that the engine can't; without it, `texts` of {@link TRIAL} counts those left out
 */
export function totalsOfLeaves(scope: Scope, depth: number, mend = false): Sql {
  const trials = intersects(scope)
    ? sql`SELECT run, output, ended_at FROM (${digestedTrials(scope.runs, scope.known, LEAF_COLUMNS, LEAF_COLUMNS)}) ${inScope(scope)}`
    : trialRows(scope.runs, sql`parent_id AS run, output, ended_at`)
  const text = mend ? readable(sql`output`) : sql`output`
  const pairs = sql`(JSONExtractKeysAndValuesRaw(${text}, 'scores') AS pairs)`
  // An empty result may also mean a number beyond 64 bits, for which the engine gives up on the whole text.
  const read = mend ? sql`''` : sql`if(empty(pairs) AND output != '' AND NOT isValidJSON(output), '"', '')`
  const nothing = sql`empty(pairs) AND JSONExtractRaw(output, 'output') IN ('', 'null')
      AND JSONExtractRaw(output, 'model_output') IN ('', 'null')`
  const failed = sql`if(${ENDED}, if(${nothing} AND ${read} = '', 'true', 'false'), '')`
  const scores = sql`arrayConcat(${pairs}, [(${bind.string(TRIAL)}, ${read}),
      (${bind.string(FAILED)}, ${failed}), (${bind.string(LATENCY)}, JSONExtractRaw(output, 'model_latency'))])`
  const first = sql`SELECT indexOf(${bind.strings(scope.runs.ids)}, run) AS run, arrayJoin(${scores}) AS leaf
      FROM (${trials})`
  return sql`SELECT run, splitByString(${bind.string(BETWEEN)}, leaf.1) AS path, count() AS leaves,
      count(number) AS numbers, avgOrNull(number) AS mean,
      countIf(leaf.2 IN ('true', 'false')) AS known, countIf(leaf.2 = 'true') AS passed,
      countIf(startsWith(leaf.2, '"')) AS texts, countIf(startsWith(leaf.2, '{')) AS objects
    FROM (SELECT run, leaf, toFloat64OrNull(leaf.2) AS number FROM (${deeper(first, depth)}))
    GROUP BY run, leaf.1 ORDER BY run, path`
}

/** Replaces leaves that are objects by their members, `depth` times. */
function deeper(leaves: Sql, depth: number): Sql {
  if (depth === 0) return leaves
  const members = sql`arrayMap(member -> (concat(object.1, ${bind.string(BETWEEN)}, member.1), member.2), JSONExtractKeysAndValuesRaw(object.2))`
  return sql`SELECT run, arrayJoin(if(startsWith(object.2, '{'), ${members}, [object])) AS leaf
      FROM (SELECT run, leaf AS object FROM (${deeper(leaves, depth - 1)}))`
}

/** Tokens of a call and those below it, from its usage; NULL if it has none. */
export const TOKENS = sql`if(empty(${usagesOf(sql`if(${COUNTS}, summary, '')`)} AS usages), NULL, arraySum(usage -> ${TOTAL}, usages))`

/** A call's duration in seconds; NULL while it runs. */
export const SECONDS = sql`if(NOT ${ENDED}, NULL,
  (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000000)`

/** A call's cost, or NULL; needs {@link TOKENS} beside it, and the WITH of {@link pricesIf}. */
export const costIf = (priced: boolean) =>
  priced ? totalCost(sql`prices`, sql`usages`, sql`started_at`) : sql`CAST(NULL, 'Nullable(Float64)')`

/** @param here the conditions of the calls that are priced */
export function pricesIf(
  priced: boolean,
  projectId: string,
  here: (table: CallTable) => readonly Sql[],
): Sql {
  if (!priced) return sql``
  const models = bothTables(
    (table) =>
      sql`SELECT arrayJoin(${modelsOf(sql`summary`)}) AS model ${visible(table, projectId, here(table))}`,
  )
  return sql`WITH ${pricesOf(projectId, sql`SELECT DISTINCT model FROM (${models})`)} AS prices `
}

/** An op in a run's trace, and whether it has a prediction method's name. */
export interface TraceOp {
  trace: string
  op: string
  predicts: 0 | 1
}

export function opsOfTraces(projectId: string, traces: readonly string[]): Sql {
  const here = [sql`trace_id IN ${bind.strings(traces)}`]
  // A single trace is grouped by op only, a column of few values.
  const trace = traces.length === 1 ? bind.string(traces[0]!) : undefined
  const keys = trace ? sql`op_name` : sql`trace_id, op_name`
  const rows = bothTables((table) => sql`SELECT ${keys} ${visible(table, projectId, here)} GROUP BY ${keys}`)
  return sql`SELECT ${trace ? sql`${trace}` : sql`trace_id`} AS trace, toString(op_name) AS op, ${IS_PREDICT} AS predicts
    FROM (${rows}) GROUP BY trace, op_name`
}

/** How predictions are recognized among the children of trials. */
export interface Predictions {
  traces: readonly string[]
  /** [trace, op] of the one prediction op of each trace; undefined: each trial must be examined */
  ops: readonly (readonly [string, string])[] | undefined
  /** refs of the runs' models */
  models: readonly string[]
  /** names of the runs' scores */
  scorers: readonly string[]
}

/** The join key of a call, a hash: a set of a hundred thousand ids would be checked against the index at every granule. */
const hashOf = (id: Sql) => sql`cityHash64(${id})`

/** The usage of trials' predictions. */
export function totalsOfUsage(scope: Scope, predictions: Predictions, priced: boolean): Sql {
  const { runs, known } = scope
  const trials = intersects(scope)
    ? sql`SELECT ${hashOf(sql`id`)} AS trial, run FROM (${digestedTrials(runs, known)}) ${inScope(scope)}`
    : trialRows(runs, sql`${hashOf(sql`id`)} AS trial, parent_id AS run`)
  const uses = predictions.ops
    ? usesOfOps(runs.projectId, predictions.ops, priced)
    : usesOfTrials(runs, predictions, priced)
  const inTraces = [sql`trace_id IN ${bind.strings(predictions.traces)}`]
  return sql`${pricesIf(priced, runs.projectId, () => inTraces)}SELECT run, count(tokens) AS used, sum(tokens) AS total, count(cost) AS priced,
      sum(cost) AS costs, count(seconds) AS predictions, avg(seconds) AS latency
    FROM (${uses}) AS uses INNER JOIN (${trials}) AS trials ON uses.trial = trials.trial GROUP BY run`
}

/** Calls of these ops, wherever they are in the trace. */
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
  return visibleRows(
    sql`${hashOf(sql`parent_id`)} AS trial, ${TOKENS} AS tokens, ${costIf(priced)} AS cost, ${SECONDS} AS seconds`,
    projectId,
    here,
  )
}

/** Each trial's prediction among its children: the model's call, or the earliest that is no score. */
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
  const children = visibleRows(
    sql`${hashOf(sql`parent_id`)} AS trial, ${rank} AS rank, started_at, ${TOKENS} AS tokens,
      ${costIf(priced)} AS cost, ${SECONDS} AS seconds`,
    projectId,
    here,
  )
  return sql`SELECT trial, use.1 AS tokens, use.2 AS cost, use.3 AS seconds FROM (
      SELECT trial, argMin((tokens, cost, seconds), (rank, started_at)) AS use FROM (
      ${children}) GROUP BY trial)`
}
