/** `heddle alerts`: metrics that are watched. */
import * as contract from '../../contract/alerts.js'
import { opNames } from '../../domain/refs/op-name.js'
import { CommandError } from '../command.js'
import { type AnswerTo, answerIn } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { expressionOf, jsonOf } from '../option-values.js'
import { list, type Shown, timeText } from '../shown.js'

interface JudgedOptions {
  metric?: string
  feedback?: string
  path?: string
  sql?: string
  of: string
  op?: string[]
  where?: string
  by?: string
  window: string
  above?: number
  below?: number
  warn?: number
  least?: number
}

interface AlertOptions extends JudgedOptions {
  empty: string
  again?: number
  message?: string
  channel?: string[]
  file?: string
}

type Alert = AnswerTo<typeof contract.alertsQuery>['alerts'][number]
type Event = AnswerTo<typeof contract.alertHistory>['events'][number]

/** The alerts, with their states. */
export async function alertList(to: Target, project: string): Promise<Shown> {
  const { alerts } = await answerIn(to, project, contract.alertsQuery)
  return list(
    alerts,
    ['NAME', 'STATE', 'GROUPS', 'VALUE', 'ALERT AT', 'CHECKED', 'CHANNELS', 'PROBLEM'],
    (one) => [
      one.name,
      stateOf(one),
      one.groups.map(({ group }) => group ?? '').join(', '),
      numberOf(one.value),
      `${one.comparison} ${one.alert_at}`,
      one.checked_at === null ? '' : timeText(one.checked_at),
      one.channels.join(', '),
      one.problem ?? '',
    ],
    'none; `heddle alerts create` makes one',
  )
}

const stateOf = ({ active, state, muted_until: until }: Alert) => {
  if (!active) return 'off'
  return until === null ? state : `${state}, muted until ${timeText(until)}`
}
const numberOf = (value: number | null) => (value === null ? '' : String(Number(value.toPrecision(6))))

/** Makes an alert, or replaces the one of this name. */
export async function createAlert(
  to: Target,
  project: string,
  name: string,
  options: AlertOptions,
): Promise<Shown> {
  const { again, message, channel, empty, file } = options
  const definition =
    file === undefined
      ? {
          ...judgedBy(project, options),
          ...{ no_data: empty, renotify_minutes: again, message, channels: channel ?? [] },
        }
      : (jsonOf('--file', `@${file}`) as ReturnType<typeof judgedBy>)
  const made = await answerIn(to, project, contract.alertSave, { ...definition, name })
  return {
    value: made,
    text: `${made.name} is checked from now on; \`heddle alerts list\` shows its state\n`,
  }
}

function judgedBy(project: string, options: JudgedOptions) {
  const { above, below, warn, least } = options
  if ((above === undefined) === (below === undefined))
    throw new CommandError('name a threshold: --above or --below', 2)
  return {
    source: sourceOf(project, options),
    window_seconds: secondsOf('--window', options.window),
    comparison: above === undefined ? '<' : '>',
    alert_at: above ?? below,
    ...{ warn_at: warn, minimum_count: least },
  }
}

/** What an alert would have judged, window by window. */
export async function previewAlert(to: Target, project: string, options: JudgedOptions): Promise<Shown> {
  const { points } = await answerIn(to, project, contract.alertPreview, judgedBy(project, options))
  const beyond = points.filter(({ state }) => state !== 'ok')
  const windows = new Set(points.map(({ timestamp }) => timestamp)).size
  const fired = new Set(beyond.map(({ timestamp }) => timestamp)).size
  const head = `beyond a threshold in ${fired} of ${windows} windows\n`
  const { text } = list(beyond, ['UNTIL', 'GROUP', 'VALUE', 'ROWS', 'STATE'], (one) => [
    ...[timeText(one.timestamp), one.group ?? '', numberOf(one.value), String(one.count), one.state],
  ])
  return { value: points, text: beyond.length === 0 ? head : `${head}${text}` }
}

function sourceOf(project: string, { metric, feedback, path, sql, of, op, where, by }: JudgedOptions) {
  if ([metric, feedback, sql].filter((one) => one !== undefined).length !== 1)
    throw new CommandError('name what is watched: --metric, --feedback or --sql', 2)
  if (sql !== undefined) return { type: 'sql', query: sql }
  const percent = /^p(\d+(?:\.\d+)?)$/.exec(of)?.[1]
  const how = percent === undefined ? { aggregation: of } : { percentile: Number(percent) }
  const judged = { ...how, group_by: by }
  if (feedback !== undefined) {
    const value_type = /^count_/.test(of) ? 'boolean' : of === 'count' ? 'categorical' : 'numeric'
    return { ...judged, type: 'feedback', feedback_type: feedback, json_path: path, value_type }
  }
  return {
    ...{ ...judged, type: 'calls', metric },
    filter: op && { op_names: op.flatMap((name) => opNames(project, name)) },
    query: where === undefined ? undefined : { $expr: expressionOf('--where', where) },
  }
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** `15m` in seconds. */
function secondsOf(option: string, text: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? []
  if (count === undefined)
    throw new CommandError(`${option} is a time such as 15m, 1h or 7d, not "${text}"`, 2)
  return Number(count) * SECONDS[unit as keyof typeof SECONDS]
}

/** Mutes an alert for a time, or ends that. */
export async function muteAlert(
  to: Target,
  project: string,
  alert: string,
  options: { for: string },
): Promise<Shown> {
  const seconds = secondsOf('--for', options.for)
  const until = seconds === 0 ? null : new Date(Date.now() + seconds * 1000).toISOString()
  const value = await answerIn(to, project, contract.alertMute, { alert, until })
  const { muted_until: muted } = value
  const state = muted === null ? 'not muted any more' : `muted until ${timeText(muted)} UTC`
  return { value, text: `${alert} is ${state}\n` }
}

/** Deletes an alert. */
export async function deleteAlert(to: Target, project: string, alert: string): Promise<Shown> {
  const value = await answerIn(to, project, contract.alertDelete, { alert })
  return { value, text: `${alert} is deleted\n` }
}

/** Changes of alerts, and who was notified. */
export async function alertEvents(
  to: Target,
  project: string,
  alert: string | undefined,
  { limit }: { limit: number },
): Promise<Shown> {
  const { events } = await answerIn(to, project, contract.alertHistory, { alert, limit })
  return list(
    events,
    ['TIME', 'ALERT', 'GROUP', 'STATE', 'VALUE', 'NOTIFIED'],
    (one) => [
      timeText(one.at),
      one.alert,
      one.group ?? '',
      one.reason === null ? one.state : `${one.state}: ${one.reason}`,
      numberOf(one.value),
      one.notified ? one.deliveries.map(deliveryOf).join('; ') : 'nobody',
    ],
    'nothing was noticed yet',
  )
}

const deliveryOf = ({ channel, state, attempts, problem }: Event['deliveries'][number]) =>
  state === 'delivered'
    ? channel
    : `${channel}: ${state} after ${attempts} attempts${problem === null ? '' : `: ${problem}`}`
