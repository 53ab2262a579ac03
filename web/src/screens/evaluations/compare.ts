/**
 * What runs of evaluations are compared by. The first run is what the others are compared with. What a run made of a row
 * is defined where the gate of `heddle eval` has it, too. Pure.
 */

import {
  difference,
  type Interval,
  intervalOf,
  intervalOfMean,
} from '../../../../domain/evaluation/bootstrap'
import { CONFIDENCE, pairsOf, SEED } from '../../../../domain/evaluation/gate'
import {
  endedTrials,
  type Outcome,
  outcomeOf as outcomeOfTrials,
  scoresOf,
  tallyOf,
} from '../../../../domain/evaluation/outcome'
import type { Call } from '../../api/client'
import type { ResultRow, Summary } from '../../api/evaluations'
import { isInside, numberOf } from '../../api/json'
import type { Change } from './search'

export interface Metric {
  /** as requests name it: scores.<scorer>[.<path>]; others have a name of their own */
  id: string
  title: string
  kind: 'share' | 'mean' | 'seconds' | 'count' | 'cost'
  lowerIsBetter: boolean
}

const RESOURCES: readonly Metric[] = [
  { id: 'failed', title: 'Failed trials', kind: 'count', lowerIsBetter: true },
  { id: 'latency', title: 'Latency', kind: 'seconds', lowerIsBetter: true },
  { id: 'tokens', title: 'Tokens', kind: 'count', lowerIsBetter: true },
  { id: 'cost', title: 'Cost', kind: 'cost', lowerIsBetter: true },
]

/** The scores that any run has, then latency, tokens and cost. @param lower ids of scores of which less is better */
export function metricsOf(summaries: readonly Summary[], lower: ReadonlySet<string> = new Set()): Metric[] {
  const scores = Array.from(
    scoresOf(summaries.flatMap((one) => one.scorer_stats)),
    ([title, kind]): Metric => {
      const id = `scores.${title}`
      return { id, title, kind, lowerIsBetter: lower.has(id) }
    },
  )
  return [...scores, ...RESOURCES]
}

export interface Value {
  value: number
  /** half the width of its 95 % interval, where the counts tell it */
  margin?: number
  /** of a mean, how many trials have the score, where others lack it: a model or scorer failed */
  scored?: number
}

/** What a run reached. */
export function reached(summary: Summary, { id, kind }: Metric): Value | undefined {
  const plain = (value: number | null) => (value === null ? undefined : { value })
  if (id === 'failed') return plain(summary.failed_trial_count)
  if (id === 'latency') return plain(summary.mean_model_latency_seconds)
  if (id === 'tokens') return plain(summary.predict_total_tokens)
  if (id === 'cost') return plain(summary.predict_total_cost)
  const stats = summary.scorer_stats.find(
    ({ scorer_key: scorer, path }) => id === `scores.${path === null ? scorer : `${scorer}.${path}`}`,
  )
  if (stats === undefined) return undefined
  const {
    numeric_mean: mean,
    numeric_count: numbers,
    pass_true_count: passed,
    pass_known_count: known,
  } = stats
  if (kind === 'mean') {
    const some = numbers < summary.ended_trial_count ? { scored: numbers } : {}
    return mean === null ? undefined : { value: mean, ...some }
  }
  const all = Math.max(known, summary.ended_trial_count)
  return known === 0 ? undefined : { value: passed / all, margin: marginOf(passed, all) }
}

const Z = 1.96

/** Of a share, after Agresti and Coull: two passes and two failures more keep it honest where there are few. */
export function marginOf(passed: number, known: number): number {
  const n = known + Z * Z
  const share = (passed + (Z * Z) / 2) / n
  return Z * Math.sqrt((share * (1 - share)) / n)
}

export interface Difference {
  by: number
  margin?: number
  /** of a paired difference */
  interval?: Interval
  /** undefined: none, or too small to tell */
  isBetter?: boolean
}

export function differenceOf(
  base: Value | undefined,
  other: Value | undefined,
  { lowerIsBetter }: Pick<Metric, 'lowerIsBetter'>,
): Difference | undefined {
  if (base === undefined || other === undefined) return undefined
  const by = other.value - base.value
  const hasMargin = base.margin !== undefined && other.margin !== undefined
  const margin = hasMargin ? Math.hypot(base.margin!, other.margin!) : undefined
  const isClear = by !== 0 && (margin === undefined || Math.abs(by) > margin)
  return {
    by,
    ...(margin !== undefined && { margin }),
    ...(isClear && { isBetter: by > 0 !== lowerIsBetter }),
  }
}

const scoreOf = (id: string): string => id.replace(/^scores\./, '')

/** undefined: the row is not in the run, or has no trial that ended. */
export function outcomeOf(
  row: ResultRow,
  run: string,
  { id, kind }: Pick<Metric, 'id' | 'kind'>,
): Outcome | undefined {
  const trials = row.evaluations.find((one) => one.evaluation_call_id === run)?.trials ?? []
  return outcomeOfTrials(tallyOf(trials, scoreOf(id)), kind === 'share' ? 'share' : 'mean')
}

/** How far the runs lie apart on a row; without end where some trials have no score, as the server sorts them. */
export function spread(row: ResultRow, runs: readonly string[], metric: Metric): number {
  const outcomes = runs.flatMap((run) => outcomeOf(row, run, metric) ?? [])
  const values = outcomes.flatMap(({ value }) => value ?? [])
  if (values.length > 0 && outcomes.some(({ missing }) => missing > 0)) return Number.POSITIVE_INFINITY
  return values.length < 2 ? 0 : Math.max(...values) - Math.min(...values)
}

/** Whether any run does worse on a row than the first one. Where more trials fail, it does, whatever the others reached. */
export function isRegression(
  row: ResultRow,
  [base = '', ...others]: readonly string[],
  metric: Pick<Metric, 'id' | 'kind' | 'lowerIsBetter'>,
): boolean {
  const before = outcomeOf(row, base, metric)
  if (before?.value === undefined) return false
  return others.some((run) => {
    const now = outcomeOf(row, run, metric)
    if (now === undefined) return false
    if (now.value === undefined || now.missing > before.missing) return true
    return now.value !== before.value && now.value < before.value! !== metric.lowerIsBetter
  })
}

/** Whether any trial of a run ended without a score: its model or scorers failed. */
export function isCrashed(row: ResultRow, run: string): boolean {
  return endedTrials(row, run).some(({ scores }) => Object.keys(scores).length === 0)
}

/** Whether a row changed so in any run but the first; a crash is a regression, too. */
export function hasChanged(
  row: ResultRow,
  runs: readonly string[],
  metric: Pick<Metric, 'id' | 'kind' | 'lowerIsBetter'>,
  change: Change,
): boolean {
  const [base = '', ...others] = runs
  switch (change) {
    case 'regressed':
      return isRegression(row, runs, metric)
    case 'improved':
      // It did worse before: seen from each other run, the first one is a regression.
      return others.some((run) => isRegression(row, [run, base], metric))
    case 'crashed':
      return (others.length === 0 ? [base] : others).some((run) => isCrashed(row, run))
    case 'same':
      return others.every((run) => {
        const [before, now] = [outcomeOf(row, base, metric), outcomeOf(row, run, metric)]
        return before !== undefined && before.value === now?.value && before.missing === now?.missing
      })
  }
}

/** Whether a run failed on a row: it crashed, or, of what passes or not, a trial did not pass. */
export function hasFailed(row: ResultRow, run: string, metric: Metric | undefined): boolean {
  if (isCrashed(row, run)) return true
  if (metric?.kind !== 'share') return false
  const outcome = outcomeOf(row, run, metric)
  return outcome !== undefined && (outcome.value ?? 0) < 1
}

/** The least and the most of a row's trials; undefined: they agree, or there is only one. */
export function rangeOf(
  row: ResultRow,
  run: string,
  { id }: Pick<Metric, 'id'>,
): [number, number] | undefined {
  const { least, most } = tallyOf(endedTrials(row, run), scoreOf(id))
  return least < most ? [least, most] : undefined
}

/** What the rows say of a run's score. */
export interface Sureness {
  /** of its mean */
  interval: Interval | undefined
  /** to the first run, over the rows that ended in both; undefined: it is the first, or they share none */
  difference: { by: number; interval: Interval | undefined; rows: number } | undefined
}

/** By the definition of the gate of `heddle eval`: a bootstrap over rows, which are paired for a difference. */
export function surenessOf(
  rows: readonly ResultRow[],
  base: string,
  run: string,
  { id, kind, lowerIsBetter }: Pick<Metric, 'id' | 'kind' | 'lowerIsBetter'>,
): Sureness {
  const tallies = rows.map((row) => {
    const [before, after] = [base, run].map((one) => tallyOf(endedTrials(row, one), scoreOf(id)))
    return { before: before!, after: after! }
  })
  // Like the mean that is shown: of a share over all trials that ended, of numbers over those that have one.
  const own = tallies.flatMap(({ after: { ended, scored, sum } }) => {
    const trials = kind === 'share' ? ended : scored
    return trials === 0 ? [] : [{ sum, trials }]
  })
  const interval = own.length === 0 ? undefined : intervalOfMean(own, CONFIDENCE, SEED)
  const inBoth = tallies.filter(({ before, after }) => before.ended > 0 && after.ended > 0)
  if (run === base || inBoth.length === 0 || own.length === 0) return { interval, difference: undefined }
  const { pairs } = pairsOf(inBoth, { kind: kind === 'share' ? 'share' : 'mean', lowerIsBetter })
  const by = difference(pairs)
  return {
    interval,
    difference: { by, interval: intervalOf(pairs, CONFIDENCE, SEED), rows: pairs.length },
  }
}

/** A difference of which the rows say how sure it is. */
export function pairedDifference(
  { by, interval }: NonNullable<Sureness['difference']>,
  { lowerIsBetter }: Pick<Metric, 'lowerIsBetter'>,
): Difference {
  const isClear = interval !== undefined && (interval.low > 0 || interval.high < 0)
  return { by, ...(interval && { interval }), ...(isClear && { isBetter: by > 0 !== lowerIsBetter }) }
}

/** The name in a ref, `weave:///entity/project/object/name:digest`; another text is itself. */
export function nameInRef(ref: unknown): string {
  if (typeof ref !== 'string') return ''
  const [, name] = /^weave:\/\/\/[^/]+\/[^/]+\/(?:object|op)\/([^:/]+):/.exec(ref) ?? []
  return name ?? ref
}

/** The run before each one of the same evaluation, by ids; those that have not ended are passed over. @param runs the newest first */
export function previousOf(
  runs: readonly Pick<Call, 'id' | 'inputs' | 'ended_at'>[],
): ReadonlyMap<string, string> {
  const previous = new Map<string, string>()
  const last = new Map<string, string>()
  for (const { id, inputs, ended_at: ended } of runs.toReversed()) {
    const name = nameInRef(inputs.self)
    const before = last.get(name)
    if (!ended || name === '') continue
    if (before !== undefined) previous.set(id, before)
    last.set(name, id)
  }
  return previous
}

/** What stands in a summary besides the scores. */
const NO_SCORES = new Set(['model_latency', 'model_output', 'model_success', 'output'])

/** The scores in what a run printed as its summary: [name, number]. */
export function printedOf(output: unknown): [string, number][] {
  const found: [string, number][] = []
  const walk = (value: unknown, path: string[]) => {
    const number = numberOf(value)
    if (number !== undefined) {
      const last = path.at(-1)
      const names = last === 'mean' || last === 'true_fraction' ? path.slice(0, -1) : path
      if (last !== 'true_count') found.push([names.join('.'), number])
    } else if (isInside(value) && !Array.isArray(value))
      for (const [key, inner] of Object.entries(value))
        if (path.length > 0 || !NO_SCORES.has(key)) walk(inner, [...path, key])
  }
  walk(output, [])
  return found
}
