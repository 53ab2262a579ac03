/** Reads the summary of an answer: which statements, in which order. */
import type { Sql } from '../../../platform/clickhouse/sql.js'
import { textAt } from '../call-row.js'
import {
  countRows,
  type LeafTotals,
  opsOfTraces,
  type Predictions,
  type Scope,
  TRIAL,
  type TraceOp,
  totalsOfLeaves,
  totalsOfUsage,
  type UsageTotals,
} from './summary.js'
import { NO_SCORES, summariesOf } from './tally.js'
import type { RunRoot } from './trials.js'

interface Read {
  rows<Row>(statement: Sql): Promise<Row[]>
}

/** How deep objects inside scores are read: first the least depth, then more if there are deeper ones. */
const DEPTHS = [1, 4, 10]

/**
 * JSON text of a summary.
 * @param counted the number of rows, if another statement counts them anyway
 */
export async function summaryOf(
  read: Read,
  scope: Scope,
  roots: readonly RunRoot[],
  priced: boolean,
  counted: Promise<number | undefined>,
): Promise<string> {
  const traces = [...new Set(roots.map(({ trace_id }) => trace_id))]
  const models = roots.map(({ inputs }) => textAt(inputs, ['model'])).filter((model) => model !== '')
  const leavesRead = leavesOf(read, scope)
  const used = async () => {
    const ops = await read.rows<TraceOp>(opsOfTraces(scope.runs.projectId, traces))
    const answering = answeringOps(traces, ops, new Set(models))
    // The names of scores are needed only if op names don't identify the predictions.
    const scorers = answering ? [] : scorersIn(await leavesRead)
    const predictions: Predictions = { traces, models, scorers, ops: answering }
    return read.rows<UsageTotals>(totalsOfUsage(scope, predictions, priced))
  }
  const [leaves, usage, count] = await Promise.all([
    leavesRead,
    used(),
    counted.then(async (rows) => rows ?? (await read.rows<{ rows: number }>(countRows(scope)))[0]?.rows),
  ])
  return JSON.stringify({ row_count: count ?? 0, evaluations: summariesOf(roots, leaves, usage) })
}

function scorersIn(leaves: readonly LeafTotals[]): string[] {
  return [...new Set(leaves.map(({ path }) => path[0]!))].filter((key) => !NO_SCORES.has(key))
}

/** Reads the counted leaves, and again if some were left out. */
export async function leavesOf(
  read: Read,
  scope: Scope,
  depths: readonly number[] = DEPTHS,
): Promise<LeafTotals[]> {
  let leaves: LeafTotals[] = []
  let mend = false
  for (const depth of depths) {
    leaves = await read.rows<LeafTotals>(totalsOfLeaves(scope, depth, mend))
    if (!mend && leaves.some(({ path, texts }) => path[0] === TRIAL && texts > 0)) {
      mend = true
      leaves = await read.rows<LeafTotals>(totalsOfLeaves(scope, depth, mend))
    }
    if (!leaves.some(({ objects }) => objects > 0)) break
  }
  return leaves
}

/**
 * The prediction op of each trace, if names identify it: the model itself if it is an op, else the only method with a
 * prediction method's name.
 */
function answeringOps(
  traces: readonly string[],
  ops: readonly TraceOp[],
  models: ReadonlySet<string>,
): [string, string][] | undefined {
  const chosen = traces.flatMap((trace): [string, string][] => {
    const here = ops.filter((one) => one.trace === trace)
    const asModel = here.filter(({ op }) => models.has(op))
    const candidates = asModel.length > 0 ? asModel : here.filter(({ predicts }) => predicts === 1)
    return candidates.length === 1 ? [[trace, candidates[0]!.op]] : []
  })
  return chosen.length === traces.length ? chosen : undefined
}
