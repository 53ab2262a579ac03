/** Judges a run of an evaluation by its scores, beside an earlier one if there is one. */

import type { EvaluationSummary } from '../../../contract/evaluation-results.js'
import type { RuleGateScore } from '../../../contract/rules.js'
import { CONFIDENCE, type GateRow, judge, type Rule, SEED } from '../../../domain/evaluation/gate.js'
import { endedTrials, scoresOf, type Trial } from '../../../domain/evaluation/outcome.js'
import { collect } from '../../../platform/bytes/collect.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Parts } from '../../parts.js'
import type { Requester } from '../parts.js'
import { EvaluationResults } from './results.js'

const PAGE = 500
const MOST_BYTES = 64 << 20

interface Answer {
  rows: { row_digest: string; evaluations: { evaluation_call_id: string; trials: Trial[] }[] }[]
  total_rows: number
  summary: { evaluations: EvaluationSummary[] } | null
}

/**
 * Why a run does not pass; empty: it does. Without a baseline only limits count.
 * @param before the run to compare with @throws 400 if the run lacks a score, or there is no row to judge
 */
export async function failuresOf(
  parts: Parts,
  { project, principal }: Requester,
  after: string,
  before: string | undefined,
  gate: readonly RuleGateScore[],
): Promise<string[]> {
  const results = new EvaluationResults(parts)
  const read = async (offset: number): Promise<Answer> => {
    const asked = {
      ...{ evaluation_call_ids: before === undefined ? [after] : [before, after], evaluation_run_ids: null },
      ...{
        require_intersection: false,
        include_raw_data_rows: false,
        resolve_row_refs: false,
        include_rows: true,
      },
      ...{ include_summary: offset === 0, summary_require_intersection: null, include_costs: false },
      ...{ include_predict_and_score_children: false, sort_by: null, filters: null },
      ...{ filter_logic_operator: 'or' as const, limit: PAGE, offset },
    }
    const signal = new AbortController().signal
    const answer = await results.answer({ project, principal, asked, signal })
    return JSON.parse((await collect(answer, MOST_BYTES)).toString()) as Answer
  }
  const first = await read(0)
  const rows: GateRow[] = []
  for (let page = first, seen = 0; page.rows.length > 0; page = await read(seen)) {
    for (const row of page.rows) {
      const [was, is] = [endedTrials(row, before ?? after), endedTrials(row, after)]
      if (was.length > 0 && is.length > 0) rows.push({ digest: row.row_digest, before: was, after: is })
    }
    seen += page.rows.length
    if (seen >= page.total_rows) break
  }
  if (rows.length === 0) throw errors.badRequest('The run has no row that can be judged.')
  const summary = first.summary?.evaluations.find((one) => one.evaluation_call_id === after)
  const kinds = scoresOf(summary?.scorer_stats ?? [])
  return gate.flatMap(({ score, min, max, max_regression }) => {
    const kind = kinds.get(score)
    if (kind === undefined)
      throw errors.badRequest(
        `The run has no score ${score}; it has ${[...kinds.keys()].join(', ') || 'none'}.`,
      )
    const rule: Rule = {
      ...{ score, kind, lowerIsBetter: max !== null, limit: min ?? max ?? undefined },
      maxRegression: max_regression ?? Number.POSITIVE_INFINITY,
    }
    const { verdict, because } = judge(rows, rule, CONFIDENCE, SEED)
    return verdict === 'failed' ? because.map((why) => `${score}: ${why}`) : []
  })
}
