/** The summary of an answer: what to ask the store for, in which order. */
import type { Sql } from '../../../common/clickhouse/sql.js'
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
  const [leaves, ops, count] = await Promise.all([
    leavesOf(read, scope),
    read.rows<TraceOp>(opsOfTraces(scope.runs.projectId, traces)),
    counted.then(async (rows) => rows ?? (await read.rows<{ rows: number }>(countRows(scope)))[0]?.rows),
  ])
  const models = roots.map(({ inputs }) => textAt(inputs, ['model'])).filter((model) => model !== '')
  const predictions: Predictions = {
    traces,
    models,
    scorers: [...new Set(leaves.map(({ path }) => path[0]!))].filter(
      (key) => key !== TRIAL && key !== LATENCY,
    ),
    ops: answeringOps(traces, ops, new Set(models)),
  }
  const usage = await read.rows<UsageTotals>(totalsOfUsage(scope, predictions, priced))
  return JSON.stringify({ row_count: count ?? 0, evaluations: summariesOf(roots, leaves, usage) })
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
