/** The summary of an answer: what to ask the store for, in which order. */
import type { Sql } from '../../../platform/clickhouse/sql.js'
import { textAt } from '../call-row.js'
import {
  countRows,
  LATENCY,
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
import { summariesOf } from './tally.js'
import type { RunRoot } from './trials.js'

interface Read {
  rows<Row>(statement: Sql): Promise<Row[]>
}

/** Objects inside scores are gone into this deep at first, and then where there are deeper ones. */
const DEPTHS = [1, 4, 10]

/**
 * JSON text of a summary.
 * @param counted how many rows there are, where another statement counts them anyway
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
    // Only where names of ops don't tell, those of the scores are needed.
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
  return [...new Set(leaves.map(({ path }) => path[0]!))].filter((key) => key !== TRIAL && key !== LATENCY)
}

/** The counted leaves; asked for again where some were left out. */
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
 * The op that answers in each trace, where names tell: the model itself if it is an op, else the only method that is
 * named like one.
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
