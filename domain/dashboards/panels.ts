/** The panels of a dashboard: what each shows, as saved objects and addresses hold it. Pure. */
import type { GROUPINGS as CALL_GROUPINGS } from '../../contract/calls-read.js'
import type { ValueType } from '../../contract/feedback-read.js'
import { FIELDS, titleOfField } from '../calls/listed-fields.js'

export const METRICS = {
  calls: 'Calls',
  errors: 'Errors',
  error_rate: 'Error rate',
  latency: titleOfField('latency'),
  first_token: titleOfField('first_token'),
  tokens: titleOfField('tokens'),
  input_tokens: titleOfField('input_tokens'),
  output_tokens: titleOfField('output_tokens'),
  cost: titleOfField('cost'),
  feedback: titleOfField('feedback'),
} as const
export type Metric = keyof typeof METRICS

export type Grouping = Exclude<(typeof CALL_GROUPINGS)[number], 'agent'>
/** What panels can be split by, with what it is called within a sentence. */
export const GROUPINGS = Object.fromEntries(
  FIELDS.flatMap(({ group, title }) => (group ? [[group, title.toLowerCase()]] : [])),
) as Record<Grouping, string>
const OF_CALLS = Object.keys(GROUPINGS).filter((name) => name !== 'model') as Grouping[]

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
