/** `heddle monitors`: what scores calls as they come. */
import * as contract from '../../contract/monitors.js'
import { figure } from '../../domain/evaluation/gate.js'
import { type AnswerTo, answerIn } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { expressionOf, momentOf } from '../option-values.js'
import { list, type Shown, timeText } from '../shown.js'
import { say } from '../subcommand.js'

interface MatchOptions {
  op?: string[]
  where?: string
  rate: number
}

interface ScoringOptions {
  signal?: string[]
  scorer?: string[]
}

interface MonitorOptions extends MatchOptions, ScoringOptions {
  quiet?: number
  off?: boolean
}

/** The monitors, and what they matched. */
export async function monitorList(to: Target, project: string): Promise<Shown> {
  const { monitors } = await answerIn(to, project, contract.monitorsQuery)
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

const textOf = ({ state, progress, matched }: AnswerTo<typeof contract.monitorBackfill>['backfill']) =>
  `${state}, ${Math.round(progress * 100)} %, ${matched.toLocaleString('en-US')} calls`

/** Makes a monitor, or a new version of one. */
export async function createMonitor(
  to: Target,
  project: string,
  name: string,
  options: MonitorOptions,
): Promise<Shown> {
  const made = await answerIn(to, project, contract.monitorCreate, {
    ...{ name, ...asked(options), active: options.off !== true },
    quiet_seconds: options.quiet,
  })
  return { value: made, text: `${made.ref}\n` }
}

const switching = (active: boolean) => async (to: Target, project: string, monitor: string) => {
  const made = await answerIn(to, project, contract.monitorActivate, { monitor, active })
  say(`${monitor} is ${active ? 'on' : 'off'} now`)
  return { value: made, text: `${made.ref}\n` }
}
export const startMonitor = switching(true)
export const stopMonitor = switching(false)

export async function deleteMonitor(to: Target, project: string, monitor: string): Promise<Shown> {
  const gone = await answerIn(to, project, contract.monitorDelete, { monitor })
  return { value: gone, text: `${gone.name} is deleted\n` }
}

/** Which calls a monitor would match, and what it would say of the newest. */
export async function previewMonitor(
  to: Target,
  project: string,
  { hours, ...options }: MatchOptions & ScoringOptions & { hours: number },
): Promise<Shown> {
  const found = await answerIn(to, project, contract.monitorPreview, { ...asked(options), hours })
  const head = `${found.matched.toLocaleString('en-US')} calls of the last ${hours} hours match\n`
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

/** The signals, after some were switched on or off. */
export async function signalList(
  to: Target,
  project: string,
  { on = [], off = [] }: { on?: string[]; off?: string[] },
): Promise<Shown> {
  let found = await answerIn(to, project, contract.signalsQuery)
  if (on.length + off.length > 0) {
    const before: string[] = found.signals.filter((one) => !one.on).map(({ signal }) => signal)
    const now = [...before.filter((signal) => !on.includes(signal)), ...off]
    await answerIn(to, project, contract.signalsUpdate, { off: [...new Set(now)] })
    found = await answerIn(to, project, contract.signalsQuery)
  }
  if (found.problem !== null) say(found.problem)
  return list(
    found.signals,
    ['SIGNAL', 'STATE', 'FOUND TODAY'],
    ({ signal, on: runs, found_today: count }) => [
      ...[signal, runs ? 'on' : 'off', count.toLocaleString('en-US')],
    ],
    'none',
  )
}

/** Scores calls of the past, or pauses, resumes or cancels that. */
export async function backfill(
  to: Target,
  project: string,
  monitor: string,
  { do: action, since, until }: { do: string; since?: string; until?: string },
): Promise<Shown> {
  const times = { since: momentOf('--since', since), until: momentOf('--until', until) }
  const asks = { monitor, action, ...times }
  const { backfill: done } = await answerIn(to, project, contract.monitorBackfill, asks)
  return { value: done, text: `${textOf(done)}; \`heddle monitors list\` shows how far it is\n` }
}

/** Its first value, and why. */
function saidOf({ reason, confidence: _, ...values }: Record<string, unknown>): string {
  const [value] = Object.values(values)
  return reason ? `${value}: ${reason}` : String(value)
}

const asked = ({ op, where, rate, signal = [], scorer = [] }: MatchOptions & ScoringOptions) => ({
  ...{ op_names: op, sampling_rate: rate, signals: signal, scorer_refs: scorer },
  query: where === undefined ? undefined : { $expr: expressionOf('--where', where) },
})
