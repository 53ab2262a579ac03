/** `heddle eval gate`: judges a run beside its baseline. What can't be judged is an error; the report is a value. */
import { figure, type Judged, judge, type Rule } from '../../domain/evaluation/gate.js'
import { scoresOf } from '../../domain/evaluation/outcome.js'
import { nameIn } from '../../domain/refs/op-name.js'
import { CommandError } from '../command.js'
import type { Target } from '../http-client.js'
import { callPage, comparisonPage } from '../page.js'
import { baselineOf } from './baseline.js'
import { type Results, resultsOf } from './results.js'
import { readRun, whenEnded } from './runs.js'
import type { ScoreThresholds, Thresholds } from './thresholds.js'

/** A gate that has judged. */
export interface Report {
  verdict: 'passed' | 'failed'
  project: string
  evaluation: string
  run: Side
  baseline: Side
  rows: number
  confidence: number
  seed: number
  /** the comparison */
  page: string
  scores: ScoreReport[]
  notes: string[]
}

interface Side {
  id: string
  model: string
  trials: number
  failed_trials: number
}

export interface ScoreReport {
  score: string
  verdict: 'passed' | 'failed'
  baseline: number
  run: number
  lower_is_better: boolean
  limit: number | null
  max_regression: number
  worse_by: number
  interval: { low: number; high: number } | null
  because: string[]
  /** how many rows got worse */
  worse_rows: number
  /** the worst of them */
  worst_rows: WorstRow[]
  page: string
}

interface WorstRow {
  row_digest: string
  baseline: number
  run: number
  data: string
  baseline_output: string
  run_output: string
  page: string
}

/** Most rows per score in a report. */
const WORST = 20

/**
 * @param minutes how long to wait for a run that goes on
 * @throws CommandError with status 2 if it can't be judged
 */
export async function gate(
  to: Target,
  project: string,
  id: string,
  thresholds: Thresholds,
  minutes: number,
): Promise<Report> {
  const { baseline: named, confidence, seed } = thresholds
  if (named === undefined)
    throw new CommandError(
      'no baseline: give --baseline, a run or the version that an alias names, such as triage:production',
      2,
    )
  await whenEnded(to, project, id, minutes)
  const run = await readRun(to, project, id)
  const before = await baselineOf(to, project, named, run)
  await whenEnded(to, project, before.evaluation_run_id, minutes)
  const results = await resultsOf(to, project, before.evaluation_run_id, id)
  const notes = checked(results, thresholds)
  const { rules, left } = rulesOf(results, thresholds)
  const judged = rules.map((rule) => judge(results.rows, rule, confidence, seed))
  const side = (
    { evaluation_call_id, trial_count, failed_trial_count }: Results['after'],
    model: string,
  ): Side => ({
    ...{
      id: evaluation_call_id,
      model: nameIn(model),
      trials: trial_count,
      failed_trials: failed_trial_count,
    },
  })
  const runs = [before.evaluation_run_id, id]
  return {
    verdict: judged.some(({ verdict }) => verdict === 'failed') ? 'failed' : 'passed',
    ...{ project, evaluation: nameIn(run.evaluation) },
    run: side(results.after, run.model),
    baseline: side(results.before, before.model),
    ...{ rows: results.rows.length, confidence, seed },
    page: comparisonPage(to, project, runs),
    scores: judged.map((one) =>
      scoreReport(
        one,
        results,
        (by) => comparisonPage(to, project, runs, by),
        (call) => callPage(to, project, call),
      ),
    ),
    notes: [...notes, ...left, ...judged.flatMap((one) => missingNote(results, one))],
  }
}

/** What about the rows is worth a note. @throws CommandError if they can't be compared */
function checked(results: Results, { commonRows, maxFailed }: Thresholds): string[] {
  const { rows, onlyBefore, onlyAfter } = results
  if (rows.length === 0) throw new CommandError('the runs have no row in common', 2)
  const others = `${onlyAfter} rows are only in the run, ${onlyBefore} only in the baseline`
  if (onlyBefore + onlyAfter > 0 && !commonRows)
    throw new CommandError(`other rows: ${others}; --common-rows judges the ${rows.length} that both have`, 2)
  for (const [name, { failed_trial_count: failed, ended_trial_count: ended }] of [
    ['run', results.after],
    ['baseline', results.before],
  ] as const) {
    const most = 'count' in maxFailed ? maxFailed.count : Math.floor(maxFailed.share * ended + 1e-9)
    if (failed > most)
      throw new CommandError(
        `${failed} of ${ended} trials of the ${name} failed, more than the ${most} that --max-failed allows`,
        2,
      )
  }
  return onlyBefore + onlyAfter > 0 ? [`${others}: these are left out`] : []
}

/** The rules of the scores that are judged, and a note on those that can't be. @throws CommandError */
function rulesOf({ before, after }: Results, thresholds: Thresholds): { rules: Rule[]; left: string[] } {
  const [was, is] = [scoresOf(before.scorer_stats), scoresOf(after.scorer_stats)]
  const kinds = new Map([...was, ...is])
  const both = [...kinds.keys()].filter((score) => was.has(score) && is.has(score))
  if (thresholds.scores.size > 0) {
    const rules = Array.from(thresholds.scores, ([name, one]) => {
      const score = scoreNamed(name, [...kinds.keys()])
      if (score !== undefined && both.includes(score))
        return ruleOf(score, kinds.get(score)!, one, thresholds)
      const who =
        score === undefined ? 'neither run has' : is.has(score) ? 'the baseline lacks' : 'the run lacks'
      throw new CommandError(`${who} the score ${name}; both have: ${both.join(', ') || 'none'}`, 2)
    })
    return { rules, left: [] }
  }
  if (both.length === 0) throw new CommandError('the runs have no score in common', 2)
  const left = [...kinds.keys()].filter((score) => !both.includes(score))
  return {
    rules: both.map((score) => ruleOf(score, kinds.get(score)!, {}, thresholds)),
    left: left.length === 0 ? [] : [`only one of the runs has ${left.join(', ')}: left out`],
  }
}

/** A score by its path, or by its scorer, if that has no other. */
function scoreNamed(name: string, scores: readonly string[]): string | undefined {
  if (scores.includes(name)) return name
  const inside = scores.filter((score) => score.startsWith(`${name}.`))
  return inside.length === 1 ? inside[0] : undefined
}

function ruleOf(
  score: string,
  kind: Rule['kind'],
  { min, max, max_regression: regression, lower_is_better: lower }: ScoreThresholds,
  { maxRegression }: Thresholds,
): Rule {
  const lowerIsBetter = lower ?? max !== undefined
  if (lowerIsBetter ? min !== undefined : max !== undefined)
    throw new CommandError(
      lowerIsBetter
        ? `${score}: less is better, so give max, not min`
        : `${score}: more is better, so give min, not max`,
      2,
    )
  return { ...{ score, kind, lowerIsBetter }, limit: min ?? max, maxRegression: regression ?? maxRegression }
}

function missingNote(
  { after, before }: Results,
  { rule: { score, kind }, missing, missingCountsAs }: Judged,
): string[] {
  if (missing.before + missing.after === 0) return []
  const as = kind === 'share' ? 'not passed' : `${figure(missingCountsAs)}, the worst score there is`
  const of = (count: number, side: Results['after']) => `${count} of ${side.ended_trial_count} trials`
  return [
    `${score} is missing on ${of(missing.after, after)} of the run and ${of(missing.before, before)} of the baseline; each counts as ${as}`,
  ]
}

function scoreReport(
  { rule, verdict, before, after, worseBy, interval, because, worse }: Judged,
  { shown }: Results,
  page: (by: string) => string,
  call: (id: string) => string,
): ScoreReport {
  const { score, lowerIsBetter, limit, maxRegression } = rule
  return {
    ...{ score, verdict, baseline: before, run: after, lower_is_better: lowerIsBetter },
    ...{
      limit: limit ?? null,
      max_regression: maxRegression,
      worse_by: worseBy,
      interval: interval ?? null,
      because,
    },
    worse_rows: worse.length,
    worst_rows: worse.slice(0, WORST).map(({ digest, before: was, after: is }) => {
      const { data, before: baseline_output, after: run_output, call: id } = shown.get(digest)!
      return { row_digest: digest, baseline: was, run: is, data, baseline_output, run_output, page: call(id) }
    }),
    page: page(score),
  }
}
