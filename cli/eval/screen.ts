/** A run as text: its state, and what its scores came to. */

import { type EvaluationSummary, evalResultsQuery } from '../../contract/evaluation-results.js'
import { figure } from '../../domain/evaluation/gate.js'
import { nameIn } from '../../domain/refs/op-name.js'
import { answerFor } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { wholeNumber } from '../option-values.js'
import { comparisonPage } from '../page.js'
import type { Shown } from '../shown.js'
import { say } from '../subcommand.js'
import { table } from '../table.js'
import { readRun, whenEnded } from './runs.js'
import { begin, type StartOptions } from './start.js'

/** @throws AnswerError if there is none with this id */
export async function runScreen(to: Target, project: string, id: string): Promise<Shown> {
  const run = await readRun(to, project, id)
  const asked = { evaluation_call_ids: [id], include_rows: false, include_summary: true, include_costs: true }
  const { summary } = await answerFor(to, project, evalResultsQuery, asked)
  const found = summary?.evaluations[0]
  const page = comparisonPage(to, project, [id])
  const facts = [
    ['run', id],
    ['evaluation', nameIn(run.evaluation)],
    ['model', nameIn(run.model)],
    ['status', run.status ?? ''],
    ...(found ? of(found) : []),
    ['page', page],
  ]
  return { value: { ...run, results: found ?? null, page }, text: table(facts) }
}

function of(summary: EvaluationSummary): string[][] {
  const { trial_count: trials, ended_trial_count: ended, failed_trial_count: failed } = summary
  const scores = summary.scorer_stats.flatMap(({ scorer_key: scorer, path, value_type: type, ...stats }) => {
    const name = path === null ? scorer : `${scorer}.${path}`
    if (type === 'binary')
      return [
        [name, `${figure(stats.pass_true_count / ended)} (${stats.pass_true_count} of ${ended} passed)`],
      ]
    if (type !== 'continuous' || stats.numeric_mean === null) return []
    return [[name, `${figure(stats.numeric_mean)} (mean of ${stats.numeric_count} of ${ended})`]]
  })
  return [
    ['trials', `${ended} of ${trials} ended, ${failed} failed`],
    ...scores,
    ...(summary.predict_total_tokens === null ? [] : [['tokens', String(summary.predict_total_tokens)]]),
    ...(summary.predict_total_cost === null ? [] : [['cost', `$${figure(summary.predict_total_cost)}`]]),
  ]
}

/** Starts a run, and shows it when it has ended. */
export async function runHere(
  to: Target,
  project: string,
  options: StartOptions & { detach?: boolean; timeout: string },
): Promise<Shown> {
  const minutes = wholeNumber('--timeout', options.timeout)
  const id = await begin(to, project, options)
  if (options.detach) return { value: { evaluation_run_id: id }, text: `${id}\n` }
  say(`run ${id}`)
  await whenEnded(to, project, id, minutes)
  return runScreen(to, project, id)
}
