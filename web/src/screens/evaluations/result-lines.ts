/** Results as lines of a file: one for each trial. Pure. */
import type { ResultRow } from '../../api/evaluations'

/** @param names of the runs by their ids, in their order */
export function resultLines(
  rows: readonly ResultRow[],
  names: ReadonlyMap<string, string>,
): Record<string, unknown>[] {
  return rows.flatMap((row) =>
    row.evaluations.flatMap(({ evaluation_call_id: run, trials }) =>
      trials.map((trial, i) => ({
        row_digest: row.row_digest,
        row: row.raw_data_row,
        run,
        run_name: names.get(run) ?? run,
        trial: i + 1,
        ended: trial.ended,
        output: trial.model_output,
        scores: trial.scores,
        latency_seconds: trial.model_latency_seconds,
        tokens: trial.total_tokens,
        cost: trial.total_cost,
        call_id: trial.predict_and_score_call_id,
      })),
    ),
  )
}
