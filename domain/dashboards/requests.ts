/** What a panel asks the service. Pure. */
import { isUsage, type Metric, type Panel, type ScoreKind } from './panels.js'

/** Where a panel's values are of, and how fine they are. */
export interface Span {
  project: string
  /** s */
  granularity: number
  /** what calls of an op may be named */
  opNames: (project: string, op: string) => string[]
}

/** Of a chart. */
const BUCKETS = 48
/** Shown of those that a panel is split by; the others are summed. */
export const GROUPS = 8
export const PERCENTILES = [50, 95, 99]
/** Of each group: one line. */
export const PERCENTILE = 95

export const USAGE = {
  tokens: 'total_tokens',
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
  cost: 'total_cost',
} as const

/** Metrics of which percentiles are shown. */
export const LENGTHS = { latency: 'latency_ms', first_token: 'time_to_first_token_ms' } as const

export const isLength = (metric: Metric): metric is keyof typeof LENGTHS => Object.hasOwn(LENGTHS, metric)
export const isUsageMetric = (metric: Metric): metric is keyof typeof USAGE => isUsage(metric)

/** ms of each length of time that a dashboard can show. */
export const RANGES: Readonly<Record<string, number>> = {
  '15m': 900_000,
  '1h': 3_600_000,
  '6h': 21_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
}

/** The range of a dashboard that says none. */
export const USUAL_RANGE = '24h'

export const isRange = (given: unknown): given is string =>
  typeof given === 'string' && Object.hasOwn(RANGES, given)

/** How fine the values of a range are, in s. */
export const granularityOf = (range: string): number => Math.ceil(RANGES[range]! / 1000 / BUCKETS)

/** The body of `/calls/stats`, without its start. */
export function callsRequest(panel: Panel, { project, granularity, opNames }: Span) {
  const { by, op } = panel
  return {
    project_id: project,
    granularity,
    ...metricsOf(panel),
    ...(op && { filter: { op_names: opNames(project, op) } }),
    ...(by && by !== 'model' && { group_by: by, group_limit: GROUPS }),
  }
}

function metricsOf({ metric, by }: Panel) {
  if (isUsageMetric(metric)) return { usage_metrics: [{ metric: USAGE[metric] }] }
  if (isLength(metric))
    return {
      call_metrics: [
        { metric: LENGTHS[metric], aggregations: [], percentiles: by ? [PERCENTILE] : PERCENTILES },
      ],
    }
  return { call_metrics: [{ metric: 'call_count' as const }, { metric: 'error_count' as const }] }
}

/** The body of `/feedback/stats`, without its start. */
export function feedbackRequest(
  { type, path = '', kind = 'numeric' }: Panel,
  { project, granularity }: Omit<Span, 'opNames'>,
): {
  project_id: string
  granularity: number
  feedback_type?: string
  metrics: { json_path: string; value_type: ScoreKind }[]
} {
  return {
    project_id: project,
    granularity,
    ...(type && { feedback_type: type }),
    metrics: path === '' ? [] : [{ json_path: path, value_type: kind }],
  }
}
