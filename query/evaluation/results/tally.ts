/** From counts of the store to the summaries of an answer. Pure. */
import type { EvaluationSummary, ScorerStats } from '../../../common/contract/evaluation-results.js'
import { isoOfMicros } from '../../../common/time/iso.js'
import { textAt } from '../call-row.js'
import type { LeafTotals, RunTotals, UsageTotals } from './summary.js'
import type { RunRoot } from './trials.js'

/** One summary a run, in the order of `roots`. */
export function summariesOf(
  roots: readonly RunRoot[],
  totals: readonly RunTotals[],
  leaves: readonly LeafTotals[],
  usage: readonly UsageTotals[],
): EvaluationSummary[] {
  return roots.map((root) => {
    const of = <Row extends { run: string }>(rows: readonly Row[]) =>
      rows.filter(({ run }) => run === root.id)
    const [total] = of(totals)
    const [used] = of(usage)
    const trials = Number(total?.trials ?? 0)
    const latency = total && total.latencies > 0 ? total.latency : used?.latency
    return {
      evaluation_call_id: root.id,
      trial_count: trials,
      scorer_stats: of(leaves).flatMap((leaf) => statsOf(leaf, trials)),
      predict_total_tokens: used && used.used > 0 ? Number(used.tokens) : null,
      predict_total_cost: used && used.priced > 0 ? used.cost : null,
      mean_model_latency_seconds: latency ?? null,
      evaluation_ref: textAt(root.inputs, ['self']) || textAt(root.inputs, ['this']) || null,
      model_ref: textAt(root.inputs, ['model']) || null,
      display_name: root.display_name || null,
      trace_id: root.trace_id || null,
      started_at: isoOfMicros(Number(root.started)),
    }
  })
}

/** The statistics of one leaf; none where it never was a boolean, number or text. */
function statsOf({ path, numbers, mean, known, passed, texts }: LeafTotals, trials: number): ScorerStats[] {
  if (numbers + known + texts === 0) return []
  const [scorer = '', ...inside] = path
  return [
    {
      scorer_key: scorer,
      path: inside.length === 0 ? null : inside.join('.'),
      value_type: known > 0 && known >= numbers ? 'binary' : numbers > 0 ? 'continuous' : 'text',
      trial_count: trials,
      numeric_count: Number(numbers),
      numeric_mean: mean,
      pass_true_count: Number(passed),
      pass_known_count: Number(known),
      pass_rate: known > 0 ? passed / known : null,
      pass_signal_coverage: trials > 0 ? known / trials : null,
    },
  ]
}
