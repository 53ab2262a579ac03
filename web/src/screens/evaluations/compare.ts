/**
 * What runs of evaluations are compared by. The first run is what the others are compared with. What a run made of a row
 * is defined where the gate of `heddle eval` has it, too. Pure.
 */
import {
  type Outcome,
  outcomeOf as outcomeOfTrials,
  scoresOf,
  tallyOf,
} from '../../../../domain/evaluation/outcome'
import type { ResultRow, Summary } from '../../api/evaluations'

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

/** undefined: the row is not in the run, or has no trial that ended. */
export function outcomeOf(
  row: ResultRow,
  run: string,
  { id, kind }: Pick<Metric, 'id' | 'kind'>,
): Outcome | undefined {
  const trials = row.evaluations.find((one) => one.evaluation_call_id === run)?.trials ?? []
  return outcomeOfTrials(tallyOf(trials, id.replace(/^scores\./, '')), kind === 'share' ? 'share' : 'mean')
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

/** The name in a ref, `weave:///entity/project/object/name:digest`; another text is itself. */
export function nameInRef(ref: unknown): string {
  if (typeof ref !== 'string') return ''
  const [, name] = /^weave:\/\/\/[^/]+\/[^/]+\/(?:object|op)\/([^:/]+):/.exec(ref) ?? []
  return name ?? ref
}

/** What stands in a summary besides the scores. */
const NO_SCORES = new Set(['model_latency', 'model_output', 'model_success', 'output'])

/** The scores in what a run printed as its summary: [name, number]. */
export function printedOf(output: unknown): [string, number][] {
  const found: [string, number][] = []
  const walk = (value: unknown, path: string[]) => {
    if (typeof value === 'number') {
      const last = path.at(-1)
      const names = last === 'mean' || last === 'true_fraction' ? path.slice(0, -1) : path
      if (last !== 'true_count') found.push([names.join('.'), value])
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [key, inner] of Object.entries(value))
        if (path.length > 0 || !NO_SCORES.has(key)) walk(inner, [...path, key])
  }
  walk(output, [])
  return found
}
