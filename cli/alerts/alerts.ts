/** `heddle alerts`: metrics that are watched. */
import { opNames } from '../../domain/refs/op-name.js'
import { CommandError } from '../command.js'
import { projectNamed, sendJson, type Target } from '../http-client.js'
import { expressionOf, jsonOf } from '../option-values.js'
import { list, type Shown, timeText } from '../shown.js'

export interface JudgedOptions {
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

export interface AlertOptions extends JudgedOptions {
  empty: string
  again?: number
  message?: string
  channel?: string[]
  file?: string
}

interface Alert {
  name: string
  active: boolean
  state: string
  groups: { group: string | null }[]
  comparison: string
  alert_at: number
  value: number | null
  checked_at: string | null
  muted_until: string | null
  channels: string[]
  problem: string | null
}

export async function alertList(to: Target, project: string): Promise<Shown> {
  const body = { project_id: projectNamed(project) }
  const { alerts } = await sendJson<{ alerts: Alert[] }>(to, '/alerts/query', body)
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

export async function createAlert(
  to: Target,
  project: string,
  name: string,
  options: AlertOptions,
): Promise<Shown> {
  const definition =
    options.file === undefined ? definitionOf(project, options) : jsonOf('--file', `@${options.file}`)
  const made = await sendJson<{ name: string }>(to, '/alerts/save', {
    ...(definition as object),
    ...{ project_id: projectNamed(project), name },
  })
  return {
    value: made,
    text: `${made.name} is checked from now on; \`heddle alerts list\` shows its state\n`,
  }
}

function definitionOf(project: string, options: AlertOptions) {
  const { again, message, channel } = options
  return {
    ...judgedBy(project, options),
    no_data: options.empty,
    ...(again !== undefined && { renotify_minutes: again }),
    ...(message !== undefined && { message }),
    channels: channel ?? [],
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
    ...(warn !== undefined && { warn_at: warn }),
    ...(least !== undefined && { minimum_count: least }),
  }
}

interface Point {
  timestamp: string
  group: string | null
  value: number | null
  count: number
  state: string
}

export async function previewAlert(to: Target, project: string, options: JudgedOptions): Promise<Shown> {
  const body = { project_id: projectNamed(project), ...judgedBy(project, options) }
  const { points } = await sendJson<{ points: Point[] }>(to, '/alerts/preview', body)
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
  const group = by !== undefined && { group_by: by }
  if (feedback !== undefined)
    return {
      ...group,
      ...{ type: 'feedback', feedback_type: feedback, ...(path !== undefined && { json_path: path }) },
      ...{ ...how, value_type: /^count_/.test(of) ? 'boolean' : of === 'count' ? 'categorical' : 'numeric' },
    }
  return {
    ...{ type: 'calls', metric, ...how },
    ...(op !== undefined && { filter: { op_names: op.flatMap((name) => opNames(project, name)) } }),
    ...(where !== undefined && { query: { $expr: expressionOf('--where', where) } }),
    ...group,
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

export async function muteAlert(to: Target, project: string, name: string, time: string): Promise<Shown> {
  const seconds = secondsOf('--for', time)
  const until = seconds === 0 ? null : new Date(Date.now() + seconds * 1000).toISOString()
  const body = { project_id: projectNamed(project), alert: name, until }
  const answer = await sendJson<{ muted_until: string | null }>(to, '/alerts/mute', body)
  const { muted_until: muted } = answer
  return {
    value: answer,
    text:
      muted === null ? `${name} is not muted any more\n` : `${name} is muted until ${timeText(muted)} UTC\n`,
  }
}

export async function deleteAlert(to: Target, project: string, name: string): Promise<Shown> {
  const body = { project_id: projectNamed(project), alert: name }
  return { value: await sendJson<object>(to, '/alerts/delete', body), text: `${name} is deleted\n` }
}

interface Event {
  at: string
  alert: string
  group: string | null
  state: string
  value: number | null
  reason: string | null
  notified: boolean
  deliveries: { channel: string; state: string; attempts: number; problem: string | null }[]
}

export async function alertHistory(
  to: Target,
  project: string,
  alert: string | undefined,
  limit: number,
): Promise<Shown> {
  const body = { project_id: projectNamed(project), alert: alert ?? null, limit }
  const { events } = await sendJson<{ events: Event[] }>(to, '/alerts/history', body)
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
