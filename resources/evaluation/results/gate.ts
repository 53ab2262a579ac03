/** Judges a run of an evaluation by its scores, beside an earlier one if there is one. */

import type { z } from 'zod'
import { evalResultsQuery } from '../../../contract/evaluation-results.js'
import type { RuleGateScore } from '../../../contract/rules.js'
import { CONFIDENCE, type GateRow, judge, type Rule, SEED } from '../../../domain/evaluation/gate.js'
import { endedTrials, resultPages, type ScoreKind, scoresOf } from '../../../domain/evaluation/outcome.js'
import { collect } from '../../../platform/bytes/collect.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Parts } from '../../parts.js'
import type { Requester } from '../parts.js'
import { EvaluationResults } from './results.js'

const MOST_BYTES = 64 << 20

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
  const read = async (page: { limit: number; offset: number }) => {
    const asked = evalResultsQuery.body!.parse({
      ...{ evaluation_call_ids: before === undefined ? [after] : [before, after], ...page },
      ...{ include_summary: page.offset === 0, include_predict_and_score_children: false },
    })
    const { signal } = new AbortController()
    const answer = await results.answer({ project, principal, asked, signal })
    return JSON.parse((await collect(answer, MOST_BYTES)).toString()) as z.output<
      typeof evalResultsQuery.answer
    >
  }
  const rows: GateRow[] = []
  let kinds = new Map<string, ScoreKind>()
  for await (const page of resultPages(read)) {
    const summary = page.summary?.evaluations.find((one) => one.evaluation_call_id === after)
    if (summary) kinds = scoresOf(summary.scorer_stats)
    for (const row of page.rows) {
      const [was, is] = [endedTrials(row, before ?? after), endedTrials(row, after)]
      if (was.length > 0 && is.length > 0) rows.push({ digest: row.row_digest, before: was, after: is })
    }
  }
  if (rows.length === 0) throw errors.badRequest('The run has no row that can be judged.')
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
