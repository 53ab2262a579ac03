/** Makes an answer's summaries from the store's counts. Pure. */
import type { EvaluationSummary, ScorerStats } from '../../../contract/evaluation-results.js'
import { isoOfMicros } from '../../../platform/time/iso.js'
import { subjectOf, textAt } from '../call-row.js'
import { FAILED, LATENCY, type LeafTotals, TRIAL, type UsageTotals } from './summary.js'
import type { RunRoot } from './trials.js'

/** One summary per run, in the order of `roots`. */
export function summariesOf(
  roots: readonly RunRoot[],
  leaves: readonly LeafTotals[],
  usage: readonly UsageTotals[],
): EvaluationSummary[] {
  return roots.map((root, i) => {
    const own = leaves.filter(({ run }) => run === i + 1)
    const used = usage.find(({ run }) => run === root.id)
    const ended = own.find(({ path }) => path[0] === FAILED)
    const trials = own.find(({ path }) => path[0] === TRIAL)?.leaves ?? 0
    return {
      evaluation_call_id: root.id,
      trial_count: trials,
      ended_trial_count: ended?.known ?? 0,
      failed_trial_count: ended?.passed ?? 0,
      scorer_stats: own.flatMap(statsOf),
      predict_total_tokens: used && used.used > 0 ? used.total : null,
      predict_total_cost: used && used.priced > 0 ? used.costs : null,
      mean_model_latency_seconds: latencyOf(own) ?? used?.latency ?? null,
      evaluation_ref: subjectOf(root) || null,
      model_ref: textAt(root.inputs, ['model']) || null,
      display_name: root.display_name || null,
      trace_id: root.trace_id || null,
      started_at: isoOfMicros(root.started),
    }
  })
}

/** The mean of the trials' latencies: a number (the SDKs), or an object with a mean (these routes). */
function latencyOf(leaves: readonly LeafTotals[]): number | undefined {
  const told = leaves.filter(
    ({ path: [first, inside] }) => first === LATENCY && (inside ?? 'mean') === 'mean',
  )
  const count = told.reduce((sum, { numbers }) => sum + numbers, 0)
  if (count === 0) return undefined
  return told.reduce((sum, { numbers, mean }) => sum + numbers * (mean ?? 0), 0) / count
}

/** First keys of leaves that are no scores. */
export const NO_SCORES = new Set([FAILED, LATENCY, TRIAL])

/** The statistics of one leaf; none if it was never a boolean, number or text. */
function statsOf({ path, numbers, mean, known, passed, texts }: LeafTotals): ScorerStats[] {
  const scored = numbers + known + texts
  if (scored === 0 || NO_SCORES.has(path[0]!)) return []
  const [scorer = '', ...inside] = path
  return [
    {
      scorer_key: scorer,
      path: inside.length === 0 ? null : inside.join('.'),
      value_type: known > 0 && known >= numbers ? 'binary' : numbers > 0 ? 'continuous' : 'text',
      trial_count: scored,
      numeric_count: numbers,
      numeric_mean: mean,
      pass_true_count: passed,
      pass_known_count: known,
      pass_rate: known > 0 ? passed / known : null,
      pass_signal_coverage: known / scored,
    },
  ]
}
