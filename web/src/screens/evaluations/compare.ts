/** What runs of evaluations are compared by. The first run is what the others are compared with. Pure. */
import type { ResultRow, Summary } from '../../api/evaluations'

export interface Metric {
  /** as requests name it: scores.<scorer>[.<path>]; others have a name of their own */
  id: string
  title: string
  kind: 'share' | 'mean' | 'seconds' | 'tokens' | 'cost'
  lowerIsBetter: boolean
}

const RESOURCES: readonly Metric[] = [
  { id: 'latency', title: 'Latency', kind: 'seconds', lowerIsBetter: true },
  { id: 'tokens', title: 'Tokens', kind: 'tokens', lowerIsBetter: true },
  { id: 'cost', title: 'Cost', kind: 'cost', lowerIsBetter: true },
]

/** The scores that any run has, then latency, tokens and cost. @param lower ids of scores of which less is better */
export function metricsOf(summaries: readonly Summary[], lower: ReadonlySet<string> = new Set()): Metric[] {
  const scores = new Map<string, Metric>()
  for (const { scorer_stats: stats } of summaries)
    for (const { scorer_key: scorer, path, value_type: type } of stats) {
      if (type === 'text' || type === null) continue
      const title = path === null ? scorer : `${scorer}.${path}`
      const id = `scores.${title}`
      scores.set(id, {
        id,
        title,
        kind: type === 'binary' ? 'share' : 'mean',
        lowerIsBetter: lower.has(id),
      })
    }
  return [...scores.values(), ...RESOURCES]
}

export interface Value {
  value: number
  /** half the width of its 95 % interval, where the counts tell it */
  margin?: number
  /** how many trials have the score, where others of the run lack it: a model or scorer failed */
  scored?: number
}

/** What a run reached. */
export function reached(summary: Summary, { id, kind }: Metric): Value | undefined {
  const plain = (value: number | null) => (value === null ? undefined : { value })
  if (id === 'latency') return plain(summary.mean_model_latency_seconds)
  if (id === 'tokens') return plain(summary.predict_total_tokens)
  if (id === 'cost') return plain(summary.predict_total_cost)
  const stats = summary.scorer_stats.find(
    ({ scorer_key: scorer, path }) => id === `scores.${path === null ? scorer : `${scorer}.${path}`}`,
  )
  if (stats === undefined) return undefined
  const { numeric_mean: mean, numeric_count: numbers, pass_rate: rate, pass_known_count: known } = stats
  const of = (count: number) => (count < summary.trial_count ? { scored: count } : {})
  if (kind === 'mean') return mean === null ? undefined : { value: mean, ...of(numbers) }
  if (rate === null) return undefined
  return { value: rate, margin: marginOf(stats.pass_true_count, known), ...of(known) }
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

/** The mean of a score over a run's trials of a row; true counts as 1. */
export function rowValue(row: ResultRow, run: string, metric: string): number | undefined {
  const trials = row.evaluations.find((one) => one.evaluation_call_id === run)?.trials ?? []
  const values = trials.flatMap(({ scores }) => numberAt(scores, metric.replace(/^scores\./, '')) ?? [])
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Names of scorers may have dots, so each part may be the beginning of the next key. */
function numberAt(value: unknown, path: string): number | undefined {
  if (path === '')
    return typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (path !== key && !path.startsWith(`${key}.`)) continue
    const found = numberAt(inner, path.slice(key.length + 1))
    if (found !== undefined) return found
  }
  return undefined
}

/** How far the runs lie apart on a row. */
export function spread(row: ResultRow, runs: readonly string[], metric: string): number {
  const values = runs.flatMap((run) => rowValue(row, run, metric) ?? [])
  return values.length < 2 ? 0 : Math.max(...values) - Math.min(...values)
}

/** Whether any run does worse on a row than the first one. */
export function isRegression(
  row: ResultRow,
  [base = '', ...others]: readonly string[],
  { id, lowerIsBetter }: Pick<Metric, 'id' | 'lowerIsBetter'>,
): boolean {
  const before = rowValue(row, base, id)
  if (before === undefined) return false
  return others.some((run) => {
    const now = rowValue(row, run, id)
    return now !== undefined && now !== before && now < before !== lowerIsBetter
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
