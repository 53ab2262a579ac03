/** An alert as the form holds it: what it begins with, and what of it is sent. Pure. */

import { readableWindows } from '../../../../domain/alerts/windows'
import { GROUPINGS as OF_PANELS } from '../../../../domain/dashboards/panels'
import type { Alert, PreviewRequest } from '../../api/alerts'
import { opNames } from '../../api/calls'
import type { Schemas } from '../../api/client'
import { commaList } from '../../ui/comma-list'

export type Source = Alert['source']
export type OnCalls = Schemas['AlertOnCalls']
export type OnFeedback = Schemas['AlertOnFeedback']
export type Metric = OnCalls['metric']
export type Aggregation = OnCalls['aggregation']
export type Grouping = NonNullable<OnCalls['group_by']>
export type QuietHours = Schemas['AlertQuietHours']

type Status = 'state' | 'groups' | 'checked_at' | 'value' | 'muted_until' | 'problem'

export interface Draft extends Omit<Alert, Status | 'alert_at'> {
  /** null: not there yet */
  alert_at: number | null
  /** names by commas; empty: of all ops */
  ops: string
}

export const METRICS: Readonly<Record<Metric, string>> = {
  error_count: 'Errors',
  call_count: 'Calls',
  latency_ms: 'Latency',
  time_to_first_token_ms: 'Time to first token',
  total_cost: 'Cost',
  input_cost: 'Cost of the input',
  output_cost: 'Cost of the output',
  total_tokens: 'Tokens',
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
  cache_read_input_tokens: 'Input tokens read from a cache',
  cache_creation_input_tokens: 'Input tokens written to a cache',
}

export const AGGREGATIONS: Readonly<Record<Aggregation, string>> = {
  ...{ sum: 'sum', avg: 'average', min: 'least', max: 'most', count: 'how many there are' },
  ...{ count_true: 'how many are true', count_false: 'how many are false' },
}

export const GROUPINGS: Readonly<Record<Grouping, string>> = { ...OF_PANELS, agent: 'agent' }

export const FEEDBACK_GROUPINGS: Readonly<Record<NonNullable<OnFeedback['group_by']>, string>> = {
  ...{ value: 'value', creator: 'who gave it', ...GROUPINGS },
}

const CALLS: OnCalls = {
  ...{ type: 'calls', metric: 'error_count', aggregation: 'avg', percentile: null },
  ...{ filter: null, query: null, group_by: null },
}

/** What is watched first, when its kind is chosen. */
export const SOURCES: { readonly [Type in Source['type']]: Extract<Source, { type: Type }> } = {
  calls: CALLS,
  feedback: {
    ...{ type: 'feedback', feedback_type: '', json_path: 'output', value_type: 'numeric' },
    ...{ aggregation: 'avg', percentile: null, group_by: null },
  },
  sql: {
    type: 'sql',
    query: `SELECT count() AS value
FROM calls
WHERE started_at >= {since:DateTime64} AND started_at < {until:DateTime64}`,
  },
}

const FAILED_JOBS = `SELECT count() AS value
FROM training_jobs
WHERE status = 'failed' AND finished_at >= {since:DateTime64} AND finished_at < {until:DateTime64}`

type Preset = Pick<Draft, 'source' | 'window_seconds' | 'comparison' | 'alert_at' | 'minimum_count'>

export const PRESETS: Readonly<Record<string, Preset>> = {
  'Error rate': {
    ...{ source: CALLS, window_seconds: 900, comparison: '>', alert_at: 0.05, minimum_count: 10 },
  },
  'p95 latency': {
    source: { ...CALLS, metric: 'latency_ms', percentile: 95 },
    ...{ window_seconds: 900, comparison: '>', alert_at: 10_000, minimum_count: 10 },
  },
  Cost: {
    source: { ...CALLS, metric: 'total_cost', aggregation: 'sum' },
    ...{ window_seconds: 86_400, comparison: '>', alert_at: 10, minimum_count: 1 },
  },
  Calls: {
    source: { ...CALLS, metric: 'call_count', aggregation: 'sum' },
    // No calls are a value, too.
    ...{ window_seconds: 3600, comparison: '<', alert_at: 1, minimum_count: 0 },
  },
  'Feedback score': {
    source: SOURCES.feedback,
    ...{ window_seconds: 86_400, comparison: '<', alert_at: 0.5, minimum_count: 10 },
  },
  'Failed training jobs (SQL)': {
    source: { type: 'sql', query: FAILED_JOBS },
    ...{ window_seconds: 3600, comparison: '>', alert_at: 0, minimum_count: 1 },
  },
}

export const NEW: Draft = {
  ...{ name: '', description: null, ops: '', ...PRESETS['Error rate']! },
  ...{ warn_at: null, no_data: 'ok', renotify_minutes: null, message: null },
  ...{ channels: [], quiet_hours: [], active: true },
}

/** An alert without how it stands. */
export function definitionOf(project: string, alert: Alert): Omit<Alert, Status> & { project_id: string } {
  const { state, groups, checked_at, value, muted_until, problem, ...definition } = alert
  return { project_id: project, ...definition }
}

export function draftOf(project: string, alert: Alert): Draft {
  const { project_id, ...definition } = definitionOf(project, alert)
  return { ...definition, ops: opsOf(project, definition.source) }
}

/** As the service takes it; undefined: something is missing. */
export function savedOf(project: string, { ops, ...draft }: Draft): Schemas['AlertSaveReq'] | undefined {
  const { alert_at, source } = draft
  if (alert_at === null || !isWhole(source)) return undefined
  return { project_id: project, ...draft, alert_at, source: withOps(project, source, ops) }
}

/** Windows that are shown, as far as the service reads them. */
const WINDOWS = 60

export function previewOf(project: string, draft: Draft): (PreviewRequest & { windows: number }) | undefined {
  const saved = savedOf(project, draft)
  if (saved === undefined) return undefined
  const { source, comparison, alert_at, warn_at = null } = saved
  const { window_seconds, minimum_count } = draft
  const windows = readableWindows(source.type, window_seconds, WINDOWS)
  return {
    ...{ source, window_seconds, minimum_count, windows, alert_at, warn_at },
    ...(comparison && { comparison }),
  }
}

function isWhole(source: Source): boolean {
  if (source.type === 'sql') return source.query.trim() !== ''
  return source.type === 'calls' || (source.feedback_type !== '' && source.json_path !== '')
}

function withOps(project: string, source: Source, ops: string): Schemas['AlertSaveReq']['source'] {
  if (source.type !== 'calls' || ops === opsOf(project, source)) return source
  const names = commaList(ops).flatMap((op) => opNames(project, op))
  return { ...source, filter: { ...source.filter, op_names: names.length === 0 ? null : names } }
}

/** The names of the filter, without those that stand for any version of one that is named. */
function opsOf(project: string, source: Source): string {
  const names = (source.type === 'calls' && source.filter?.op_names) || []
  const covered = new Set(names.flatMap((name) => opNames(project, name).filter((one) => one !== name)))
  return names.filter((name) => !covered.has(name)).join(', ')
}
