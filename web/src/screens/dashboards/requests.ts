/** What a panel's chart shows of the answer of the service. Pure. */
import type { Panel } from '../../../../domain/dashboards/panels'
import {
  GROUPS,
  isLength,
  isUsageMetric,
  LENGTHS,
  PERCENTILE,
  PERCENTILES,
  USAGE,
} from '../../../../domain/dashboards/requests'
import { count, duration, money, share } from '../../ui/format'
import { largest, type Series } from '../../ui/series'

export type Bucket = Record<string, unknown>

/** What a chart draws. */
export interface Drawn {
  /** s since the epoch */
  times: number[]
  series: Series[]
  kind: 'columns' | 'lines'
  format: (value: number) => string
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export function drawnOf(panel: Panel, buckets: readonly Bucket[]): Drawn {
  const times = [...new Set(buckets.map(({ timestamp }) => String(timestamp)))]
  return { times: times.map((time) => Date.parse(time) / 1000), ...seriesOf(panel, buckets, times) }
}

function seriesOf(
  { metric, by, path = '', kind }: Panel,
  buckets: readonly Bucket[],
  times: readonly string[],
): Omit<Drawn, 'times'> {
  const single = (label: string, read: (bucket: Bucket) => number | null): Series => ({
    label,
    values: buckets.map(read),
  })
  const grouped = (read: (bucket: Bucket) => number | null) =>
    groupsOf(buckets, times, by === 'model' ? 'model' : 'group', read)
  if (metric === 'feedback') return feedbackOf(path, kind, single)
  if (isUsageMetric(metric)) {
    const read = (bucket: Bucket) => numberOf(bucket[`sum_${USAGE[metric]}`])
    const all = by ? grouped(read) : [summed(metric, grouped(read))]
    return { kind: 'columns', series: largest(all, GROUPS), format: metric === 'cost' ? money : count }
  }
  if (isLength(metric)) {
    const read = (percentile: number) => (bucket: Bucket) =>
      numberOf(bucket[`p${percentile}_${LENGTHS[metric]}`])
    const series = by ? grouped(read(PERCENTILE)) : PERCENTILES.map((one) => single(`p${one}`, read(one)))
    return { kind: 'lines', format: duration, series }
  }
  switch (metric) {
    case 'error_rate': {
      const failed = ({ sum_error_count: errors, sum_call_count: calls }: Bucket) =>
        Number(calls) > 0 ? Number(errors) / Number(calls) : null
      const series = by ? grouped(failed) : [{ ...single('calls that failed', failed), isBad: true }]
      return { kind: 'lines', format: share, series }
    }
    case 'errors': {
      const failed = ({ sum_error_count: errors }: Bucket) => numberOf(errors)
      const series = by ? grouped(failed) : [{ ...single('calls that failed', failed), isBad: true }]
      return { kind: 'columns', format: count, series }
    }
    case 'calls':
      return {
        kind: 'columns',
        format: count,
        series: by ? grouped((bucket) => numberOf(bucket.sum_call_count)) : succeededAndFailed(single),
      }
  }
}

type Single = (label: string, read: (bucket: Bucket) => number | null) => Series

function succeededAndFailed(single: Single): Series[] {
  const failed = single('failed', (bucket) => numberOf(bucket.sum_error_count))
  const whole = single(
    'without error',
    (bucket) => Number(bucket.sum_call_count ?? 0) - Number(bucket.sum_error_count ?? 0),
  )
  return [whole, { ...failed, isBad: true }]
}

function feedbackOf(path: string, kind: Panel['kind'], single: Single): Omit<Drawn, 'times'> {
  const slug = path.replaceAll('.', '_')
  if (path === '' || kind === 'categorical')
    return {
      kind: 'columns',
      format: count,
      series: [
        single('feedback', (bucket) => numberOf(path === '' ? bucket.count : bucket[`count_${slug}`])),
      ],
    }
  if (kind === 'boolean') {
    const trueOf = (bucket: Bucket) => {
      const [yes, no] = [Number(bucket[`count_true_${slug}`]), Number(bucket[`count_false_${slug}`])]
      return yes + no > 0 ? yes / (yes + no) : null
    }
    return { kind: 'lines', format: share, series: [single('true', trueOf)] }
  }
  return {
    kind: 'lines',
    format: (value) => String(Number(value.toPrecision(4))),
    series: ['avg', 'min', 'max'].map((name) =>
      single(name, (bucket) => numberOf(bucket[`${name}_${slug}`])),
    ),
  }
}

/** A series of each group, with the sums over what else its buckets are split by. Null is what is in none of the largest. */
function groupsOf(
  buckets: readonly Bucket[],
  times: readonly string[],
  key: 'model' | 'group',
  read: (bucket: Bucket) => number | null,
): Series[] {
  const place = new Map(times.map((time, i) => [time, i]))
  const groups = new Map<unknown, { label: string; values: (number | null)[] }>()
  for (const bucket of buckets) {
    const group = groups.get(bucket[key]) ?? { label: labelOf(bucket, key), values: times.map(() => null) }
    groups.set(bucket[key], group)
    const { values } = group
    const [at, value] = [place.get(String(bucket.timestamp))!, read(bucket)]
    if (value !== null) values[at] = (values[at] ?? 0) + value
  }
  return [...groups.values()]
}

/** Users have names as well as ids. */
function labelOf(bucket: Bucket, key: 'model' | 'group'): string {
  const { [key]: group, group_name: name } = bucket
  if (group === null) return 'all others'
  return group === '' || group === undefined ? 'none' : String(name ?? group)
}

function summed(metric: string, series: readonly Series[]): Series {
  const [first] = series
  const values = (first?.values ?? []).map((_, i) =>
    series.reduce<number | null>((sum, { values: all }) => {
      const value = all[i] ?? null
      return value === null ? sum : (sum ?? 0) + value
    }, null),
  )
  return { label: metric.replace('_', ' '), values }
}
