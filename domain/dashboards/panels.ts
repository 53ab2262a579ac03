/** The panels of a dashboard: what each shows, as saved objects and addresses hold it. Pure. */
import type { ValueType } from '../../contract/feedback-read.js'

export const METRICS = {
  calls: 'Calls',
  errors: 'Errors',
  error_rate: 'Error rate',
  latency: 'Latency',
  first_token: 'Time to first token',
  tokens: 'Tokens',
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
  cost: 'Cost',
  feedback: 'Feedback',
} as const
export type Metric = keyof typeof METRICS

export const GROUPINGS = {
  ...{ model: 'model', op: 'op', user: 'user', environment: 'environment', release: 'release' },
  ...{ version: 'version', prompt_name: 'prompt', prompt_version: 'prompt version' },
} as const
const OF_CALLS = Object.keys(GROUPINGS).filter((name) => name !== 'model') as Grouping[]
export type Grouping = keyof typeof GROUPINGS

export type ScoreKind = ValueType

export interface Panel {
  metric: Metric
  /** shown instead of what the panel is about */
  title?: string | undefined
  by?: Grouping | undefined
  /** only calls of this op, any version */
  op?: string | undefined
  /** of feedback: its type, the path in its payload, and the kind of value there */
  type?: string | undefined
  path?: string | undefined
  kind?: ScoreKind | undefined
}

/** What a metric can be split by. The service counts calls by model only where they used one. */
export function groupingsOf(metric: Metric): Grouping[] {
  if (metric === 'feedback') return []
  return isUsage(metric) ? ['model', ...OF_CALLS] : OF_CALLS
}

export const isUsage = (metric: Metric): boolean => metric.endsWith('tokens') || metric === 'cost'

export function titleOf({ metric, title, by, op, type, path }: Panel): string {
  if (title) return title
  const what =
    metric === 'feedback' ? [type, path].filter(Boolean).join(' ') || METRICS.feedback : METRICS[metric]
  return [what, op && `of ${op}`, by && `by ${GROUPINGS[by]}`].filter(Boolean).join(' ')
}

/** What a new project is shown. */
export const OVERVIEW: readonly Panel[] = [
  { metric: 'calls' },
  { metric: 'errors' },
  { metric: 'latency' },
  { metric: 'tokens', by: 'model' },
  { metric: 'cost', by: 'model' },
  { metric: 'calls', by: 'op' },
  { metric: 'latency', by: 'op' },
  { metric: 'cost', by: 'user' },
]

const MOST = 40
const KINDS: readonly unknown[] = ['numeric', 'boolean', 'categorical']

/** The panels among what an address or object holds. */
export function readPanels(given: unknown): Panel[] | undefined {
  if (!Array.isArray(given)) return undefined
  return given.slice(0, MOST).flatMap((one) => readPanel(one) ?? [])
}

function readPanel(given: unknown): Panel | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const { metric, by, kind, ...rest } = given as Record<string, unknown>
  if (typeof metric !== 'string' || !Object.hasOwn(METRICS, metric)) return undefined
  const texts = ['title', 'op', 'type', 'path'].flatMap((name) => {
    const text = rest[name]
    return typeof text === 'string' && text !== '' ? [[name, text.slice(0, 500)]] : []
  })
  return {
    metric: metric as Metric,
    ...(groupingsOf(metric as Metric).includes(by as Grouping) && { by: by as Grouping }),
    ...(KINDS.includes(kind) && { kind: kind as ScoreKind }),
    ...Object.fromEntries(texts),
  }
}

/** The object that keeps a dashboard. */
export function savedAs(name: string, range: string, panels: readonly Panel[]) {
  return {
    _type: 'Dashboard',
    _class_name: 'Dashboard',
    _bases: ['Object', 'BaseModel'],
    name,
    range,
    panels,
  }
}
