/** `heddle monitors`: what scores calls as they come. */
import { figure } from '../../domain/evaluation/gate.js'
import { projectNamed, sendJson, type Target } from '../http-client.js'
import { expressionOf } from '../option-values.js'
import { list, type Shown, timeText } from '../shown.js'
import { say } from '../subcommand.js'

export interface MatchOptions {
  op?: string[]
  where?: string
  rate: number
}

export interface ScoringOptions {
  signal?: string[]
  scorer?: string[]
}

export interface MonitorOptions extends MatchOptions, ScoringOptions {
  quiet?: number
  off?: boolean
}

export interface BackfillOptions {
  do: 'start' | 'pause' | 'resume' | 'cancel'
  since?: string
  until?: string
}

interface Backfill {
  state: string
  progress: number
  matched: number
}

interface Monitor {
  name: string
  active: boolean
  sampling_rate: number
  matched: number
  queued_today: number
  skipped_today: number
  cost_today: number
  problem: string | null
  backfill: Backfill | null
}

export async function monitorList(to: Target, project: string): Promise<Shown> {
  const { monitors } = await sendJson<{ monitors: Monitor[] }>(to, '/monitors/query', {
    project_id: projectNamed(project),
  })
  return list(
    monitors,
    [
      'NAME',
      'STATE',
      'SHARE',
      'MATCHED',
      'SCORES TODAY',
      'SKIPPED TODAY',
      'COST TODAY',
      'BACKFILL',
      'PROBLEM',
    ],
    (one) => [
      one.name,
      one.active ? 'on' : 'off',
      `${Math.round(one.sampling_rate * 100)} %`,
      ...[one.matched, one.queued_today, one.skipped_today].map((count) => count.toLocaleString('en-US')),
      figure(one.cost_today),
      one.backfill ? textOf(one.backfill) : '',
      one.problem ?? '',
    ],
    'none; `heddle monitors create` makes one',
  )
}

const textOf = ({ state, progress, matched }: Backfill) =>
  `${state}, ${Math.round(progress * 100)} %, ${matched.toLocaleString('en-US')} calls`

export async function createMonitor(
  to: Target,
  project: string,
  name: string,
  options: MonitorOptions,
): Promise<Shown> {
  const made = await sendJson<{ ref: string }>(to, '/monitors/create', {
    ...{ project_id: projectNamed(project), name, ...matched(options) },
    ...{ ...scoring(options), active: options.off !== true },
    ...(options.quiet !== undefined && { quiet_seconds: options.quiet }),
  })
  return { value: made, text: `${made.ref}\n` }
}

export async function activateMonitor(
  to: Target,
  project: string,
  monitor: string,
  active: boolean,
): Promise<Shown> {
  const body = { project_id: projectNamed(project), monitor, active }
  const made = await sendJson<{ ref: string }>(to, '/monitors/activate', body)
  say(`${monitor} is ${active ? 'on' : 'off'} now`)
  return { value: made, text: `${made.ref}\n` }
}

interface Preview {
  matched: number
  calls: {
    id: string
    op_name: string
    started_at: string
    scores: { scorer: string; result: Record<string, unknown> | null; problem: string | null }[]
  }[]
  not_tried: string[]
}

export async function previewMonitor(
  to: Target,
  project: string,
  options: MatchOptions & ScoringOptions & { hours: number },
): Promise<Shown> {
  const how = { ...matched(options), ...scoring(options) }
  const body = { project_id: projectNamed(project), hours: options.hours, ...how }
  const found = await sendJson<Preview>(to, '/monitors/preview', body)
  const head = `${found.matched.toLocaleString('en-US')} calls of the last ${options.hours} hours match\n`
  const names = found.calls[0]?.scores.map(({ scorer }) => scorer) ?? []
  const calls = list(
    found.calls,
    ['STARTED', 'OP', 'ID', ...names.map((name) => name.toUpperCase())],
    ({ started_at, op_name, id, scores }) => [
      ...[timeText(started_at), op_name, id],
      ...scores.map(({ result, problem }) => problem ?? saidOf(result ?? {})),
    ],
    '',
  )
  if (found.not_tried.length > 0) say(`${found.not_tried.join(', ')}: not tried, since it asks others`)
  return { value: found, text: found.calls.length === 0 ? head : `${head}${calls.text}` }
}

export async function backfill(
  to: Target,
  project: string,
  monitor: string,
  options: BackfillOptions,
): Promise<Shown> {
  const { backfill: done } = await sendJson<{ backfill: Backfill }>(to, '/monitors/backfill', {
    ...{ project_id: projectNamed(project), monitor, action: options.do },
    ...(options.since !== undefined && { since: options.since }),
    ...(options.until !== undefined && { until: options.until }),
  })
  return { value: done, text: `${textOf(done)}; \`heddle monitors list\` shows how far it is\n` }
}

/** Its first value, and why. */
function saidOf({ reason, confidence: _, ...values }: Record<string, unknown>): string {
  const [value] = Object.values(values)
  return reason ? `${value}: ${reason}` : String(value)
}

const scoring = ({ signal, scorer }: ScoringOptions) => ({
  ...{ signals: signal ?? [], scorer_refs: scorer ?? [] },
})

const matched = ({ op, where, rate }: MatchOptions) => ({
  ...(op !== undefined && { op_names: op }),
  ...(where !== undefined && { query: { $expr: expressionOf('--where', where) } }),
  sampling_rate: rate,
})
