/** Reads what two runs made of every row. Knows no thresholds. */
import { type EvaluationSummary, evalResultsQuery } from '../../contract/evaluation-results.js'
import type { GateRow } from '../../domain/evaluation/gate.js'
import { endedTrials, resultPages, type Trial } from '../../domain/evaluation/outcome.js'
import { answerFor } from '../contract-client.js'
import type { Target } from '../http-client.js'

/** What is shown of a row: its data and the answers, shortened to a line, and the later run's call. */
export interface ShownRow {
  data: string
  before: string
  after: string
  call: string
}

export interface Results {
  before: EvaluationSummary
  after: EvaluationSummary
  /** those that both runs have, with a trial that ended in each */
  rows: GateRow[]
  shown: ReadonlyMap<string, ShownRow>
  /** how many rows one of them lacks */
  onlyBefore: number
  onlyAfter: number
}

/** Characters of a text that is shown. */
const SHOWN = 160

/** @param before the id of the run that `after` is compared with */
export async function resultsOf(
  to: Target,
  project: string,
  before: string,
  after: string,
): Promise<Results> {
  const read = (page: { limit: number; offset: number }) =>
    answerFor(to, project, evalResultsQuery, {
      ...{ evaluation_call_ids: [before, after], include_summary: page.offset === 0, ...page },
      ...{ include_raw_data_rows: true, resolve_row_refs: true, include_predict_and_score_children: false },
    })
  const [rows, shown] = [[] as GateRow[], new Map<string, ShownRow>()]
  let [onlyBefore, onlyAfter] = [0, 0]
  let summaries: readonly EvaluationSummary[] = []
  for await (const page of resultPages(read)) {
    summaries = page.summary?.evaluations ?? summaries
    for (const row of page.rows) {
      const [was, is] = [endedTrials(row, before), endedTrials(row, after)]
      if (was.length === 0 && is.length === 0) continue
      if (was.length === 0) onlyAfter++
      else if (is.length === 0) onlyBefore++
      else {
        const scores = (trials: readonly Trial[]) => trials.map(({ ended, scores }) => ({ ended, scores }))
        rows.push({ digest: row.row_digest, before: scores(was), after: scores(is) })
        shown.set(row.row_digest, {
          ...{ data: short(row.raw_data_row), before: short(was[0]!.model_output) },
          ...{ after: short(is[0]!.model_output), call: is[0]!.predict_and_score_call_id },
        })
      }
    }
  }
  const summaryOf = (id: string) => summaries.find((one) => one.evaluation_call_id === id)!
  return { before: summaryOf(before), after: summaryOf(after), rows, shown, onlyBefore, onlyAfter }
}

function short(value: unknown): string {
  const whole = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const text = whole.slice(0, 4 * SHOWN).replaceAll(/\s+/g, ' ')
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
