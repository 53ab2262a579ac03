/** What is shown of alerts: values in their unit, lengths of time in words, and the chart of a preview. Pure. */
import type { AlertState, PreviewPoint } from '../../api/alerts'
import { count, counted, duration, money, share } from '../../ui/format'
import type { Series } from '../../ui/series'
import type { Draft, Source } from './draft'

export const STATES: Readonly<Record<AlertState, string>> = {
  ...{ ok: 'ok', no_data: 'no data', warning: 'warning', alert: 'alert' },
}

type Format = (value: number) => string

/** Of what has no unit. */
export const plain: Format = (value) =>
  Math.abs(value) >= 1000 ? count(value) : String(Number(value.toPrecision(4)))

const RATE = '1 is 100 %'

/** The unit that thresholds are typed in; empty: none. */
export function unitOf(source: Source): string {
  if (isRate(source)) return RATE
  if (source.type !== 'calls' || isCount(source)) return ''
  if (source.metric.endsWith('_ms')) return 'ms'
  return source.metric.endsWith('_cost') ? '$' : ''
}

export function formatOf(source: Source): Format {
  const unit = unitOf(source)
  if (unit === 'ms') return (value) => (value < 0 ? `${plain(value)} ms` : duration(value))
  if (unit === '$') return money
  return unit === RATE ? share : plain
}

const isCount = ({ aggregation, percentile }: Exclude<Source, { type: 'sql' }>) =>
  percentile === null && aggregation.startsWith('count')

const isRate = (source: Source) =>
  source.type === 'calls' &&
  source.metric === 'error_count' &&
  source.aggregation === 'avg' &&
  source.percentile === null

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** `15 minutes` */
export function lengthText(seconds: number): string {
  const [length, name] = UNITS.find(([one]) => seconds % one === 0)!
  return counted(seconds / length, name)
}

/** Lines that a chart has room for. */
const MOST = 6

/** What a chart draws of a preview. */
export interface Drawn {
  /** s since the epoch */
  times: number[]
  series: Series[]
  /** groups that are not drawn: the others are worse off */
  left: number
}

export function drawnOf(
  points: readonly PreviewPoint[],
  { comparison, alert_at, warn_at }: Pick<Draft, 'comparison' | 'alert_at' | 'warn_at'>,
): Drawn {
  const times = [...new Set(points.map(({ timestamp }) => timestamp))].sort()
  const place = new Map(times.map((time, i) => [time, i]))
  const groups = new Map<string, (number | null)[]>()
  for (const { timestamp, group, value } of points) {
    const label = group ?? 'value'
    const values = groups.get(label) ?? times.map(() => null)
    groups.set(label, values)
    values[place.get(timestamp)!] = value
  }
  const sign = comparison.startsWith('>') ? 1 : -1
  const worst = (values: readonly (number | null)[]) =>
    values.reduce<number>(
      (most, value) => (value === null ? most : Math.max(most, sign * value)),
      Number.NEGATIVE_INFINITY,
    )
  const all = [...groups].map(([label, values]) => ({ label, values, worst: worst(values) }))
  const shown = all.toSorted((a, b) => b.worst - a.worst || 0).slice(0, MOST)
  const flat = (label: string, limit: 'bad' | 'warning', value: number | null): Series[] =>
    value === null ? [] : [{ label, limit, values: times.map(() => value) }]
  return {
    times: times.map((time) => Date.parse(time) / 1000),
    series: [
      ...shown.map(({ label, values }) => ({ label, values })),
      ...flat('warning', 'warning', warn_at),
      ...flat('alert', 'bad', alert_at),
    ],
    left: all.length - shown.length,
  }
}

/**
 * In how many windows an alert would have fired, and in how many it would not have judged what there was.
 * @param windows how many were looked at: of groups, one without rows has no points
 */
export function firedText(
  points: readonly PreviewPoint[],
  windows: number,
  { window_seconds, minimum_count }: Pick<Draft, 'window_seconds' | 'minimum_count'>,
): string {
  const times = (those: (point: PreviewPoint) => boolean) =>
    new Set(points.filter(those).map(({ timestamp }) => timestamp))
  const fired = times(({ state }) => state === 'alert')
  const warned = [...times(({ state }) => state === 'warning')].filter((time) => !fired.has(time)).length
  const few = times(({ count }) => count > 0 && count < minimum_count).size
  return [
    `It would have fired in ${fired.size} of ${counted(windows, 'window')} of ${lengthText(window_seconds)}`,
    warned > 0 && `, and warned in ${warned} more`,
    few > 0 && `; ${few} had too few rows to judge`,
    '.',
  ]
    .filter(Boolean)
    .join('')
}

/** When it is next 9:00 on another day. */
export function tomorrow(now: Date, zone: 'local' | 'utc'): Date {
  const at = new Date(now)
  if (zone === 'utc') {
    at.setUTCDate(at.getUTCDate() + 1)
    at.setUTCHours(9, 0, 0, 0)
  } else {
    at.setDate(at.getDate() + 1)
    at.setHours(9, 0, 0, 0)
  }
  return at
}
