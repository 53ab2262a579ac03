/** SQL of what the scores of runs amount to: means, pass rates, latency, tokens, costs. Pure. */
import { bind, type Sql, sql } from '../../../common/clickhouse/sql.js'
import { OWN_USAGE } from '../../calls/own-usage.js'
import { bothTables, visible } from '../../calls/page.js'
import { pricesOf, totalCost } from '../../costs/expression.js'
import { IS_PREDICT, IS_SCORE, IS_TRIAL, OP_SHORT } from '../ops-sql.js'
import { digestedTrials, type KnownRows, type Runs, sharedRows, trialRows } from './trials.js'

/** Objects inside scores are gone into this deep. */
const DEPTH = 8

/** What stands between the keys of a path; no key of JSON text has it raw. */
const BETWEEN = '\u0001'

/** One row a run: how many trials it has, and what they say of their latency. */
export interface RunTotals {
  run: string
  trials: number
  rows: number
  latencies: number
  latency: number | null
}

/** One row a run, score and path: its leaves counted. */
export interface LeafTotals {
  run: string
  /** keys down to the leaf, the scorer's first */
  path: string[]
  numbers: number
  mean: number | null
  known: number
  passed: number
  texts: number
}

/** One row a run: what the predictions of its trials used. */
export interface UsageTotals {
  run: string
  /** trials that say what they used */
  used: number
  tokens: number
  priced: number
  cost: number | null
  predictions: number
  latency: number | null
}

/** Over how many rows, and those of every run alone? */
export interface Scope {
  runs: Runs
  known: KnownRows
  shared: boolean
}

const LATENCY = sql`if(JSONType(output, 'model_latency') = 'Object',
  JSONExtract(output, 'model_latency', 'mean', 'Nullable(Float64)'), JSONExtract(output, 'model_latency', 'Nullable(Float64)'))`

function inScope({ runs, known, shared }: Scope): Sql {
  return shared && runs.ids.length > 1 ? sql`WHERE row IN (${sharedRows(runs, known)})` : sql``
}

export function totalsOfRuns(scope: Scope): Sql {
  const trials = digestedTrials(scope.runs, scope.known, [sql`${LATENCY} AS seconds`], [sql`output`])
  return sql`SELECT run, count() AS trials, uniqExact(row) AS rows,
      count(seconds) AS latencies, avg(seconds) AS latency
    FROM (${trials}) ${inScope(scope)} GROUP BY run`
}

/** How many rows all runs have together. */
export function countRows(scope: Scope): Sql {
  return sql`SELECT uniqExact(row) AS rows FROM (${digestedTrials(scope.runs, scope.known)}) ${inScope(scope)}`
}

/** Every leaf of every score of every trial, by path. */
export function totalsOfLeaves(scope: Scope): Sql {
  const shared = scope.shared && scope.runs.ids.length > 1
  const trials = shared
    ? sql`SELECT run, output FROM (${digestedTrials(scope.runs, scope.known, [sql`output`], [sql`output`])}) ${inScope(scope)}`
    : trialRows(scope.runs, sql`parent_id AS run, output`)
  return sql`SELECT run, splitByString(${bind.string(BETWEEN)}, leaf.1) AS path,
      countIf(number IS NOT NULL) AS numbers, avgOrNullIf(number, isFinite(number)) AS mean,
      countIf(leaf.2 IN ('true', 'false')) AS known, countIf(leaf.2 = 'true') AS passed,
      countIf(startsWith(leaf.2, '"')) AS texts
    FROM (
      SELECT run, arrayJoin(${leaves(sql`JSONExtractKeysAndValuesRaw(output, 'scores')`, DEPTH)}) AS leaf,
        toFloat64OrNull(if(leaf.2 IN ('true', 'false'), '', leaf.2)) AS number
      FROM (${trials})
    ) GROUP BY run, leaf.1 ORDER BY run, path`
}

/** Pairs of path and raw text, objects replaced by their members, `depth` times. */
function leaves(pairs: Sql, depth: number): Sql {
  if (depth === 0) return pairs
  const inside = sql`arrayMap(inner -> (concat(pair.1, ${bind.string(BETWEEN)}, inner.1), inner.2), JSONExtractKeysAndValuesRaw(pair.2))`
  const next = sql`arrayFlatten(arrayMap(pair -> if(startsWith(pair.2, '{'), ${inside}, [pair]), ${pairs}))`
  return leaves(next, depth - 1)
}

/** Tokens of a call itself with those below it, as its usage says; NULL where it says nothing. */
export const TOKENS = sql`if(empty(JSONExtractKeys(summary, 'usage')), NULL, arraySum(used -> used.5, ${OWN_USAGE}))`

/**
 * What the predictions of trials used. Of a trial's children the prediction is the model's call, or what begins first
 * among those that are no scores.
 * @param models refs of the runs' models
 * @param scorers names of the runs' scores
 */
export function totalsOfUsage(
  { runs, known, shared }: Scope,
  traces: readonly string[],
  models: readonly string[],
  scorers: readonly string[],
  priced: boolean,
): Sql {
  const trials =
    shared && runs.ids.length > 1
      ? sql`SELECT id, run FROM (${digestedTrials(runs, known)}) ${inScope({ runs, known, shared })}`
      : trialRows(runs, sql`id, parent_id AS run`)
  const candidates = [
    sql`trace_id IN ${bind.strings(traces)}`,
    sql`NOT ${IS_SCORE}`,
    sql`NOT ${IS_TRIAL}`,
    ...(scorers.length > 0 ? [sql`${OP_SHORT} NOT IN ${bind.strings(scorers)}`] : []),
    sql`parent_id NOT IN ${bind.strings(['', ...runs.ids])}`,
  ]
  const cost = priced
    ? totalCost(sql`prices`, sql`summary`, sql`started_at`)
    : sql`CAST(NULL, 'Nullable(Float64)')`
  const ended = sql`if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000000)`
  const rank = sql`multiIf(op_name IN ${bind.strings(models)}, 1, ${IS_PREDICT}, 2, 3)`
  const children = bothTables(
    (
      table,
    ) => sql`SELECT parent_id AS trial, ${rank} AS rank, started_at, ${TOKENS} AS tokens, ${cost} AS cost,
      ${ended} AS seconds ${visible(table, runs.projectId, candidates)}`,
  )
  const prices = priced ? sql`WITH ${pricesOf(runs.projectId)} AS prices ` : sql``
  return sql`${prices}SELECT run, count(use.1) AS used, sum(use.1) AS tokens, count(use.2) AS priced, sum(use.2) AS cost,
      count(use.3) AS predictions, avg(use.3) AS latency
    FROM (
      SELECT trial, argMin((tokens, cost, seconds), (rank, started_at)) AS use FROM (
      ${children}) GROUP BY trial
    ) AS uses INNER JOIN (${trials}) AS trials ON uses.trial = trials.id
    GROUP BY run`
}
